/** What a command sees of the worker's environment. Everything else may be a secret, so it is left out. */
export const PASSED_ON = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'TMPDIR',
  'TERM',
  'TZ',
  'XDG_CACHE_HOME',
  'XDG_CONFIG_HOME',
] as const;

/**
 * The environment of a command: what it inherits as it is, else the allowlist with a fixed locale; and what the step itself
 * sets, which wins.
 */
export function commandEnvironment(
  worker: NodeJS.ProcessEnv,
  step: Readonly<Record<string, string>>,
  inherit?: Readonly<Record<string, string>>,
): Record<string, string> {
  if (inherit) return { ...inherit, ...step };
  const environment: Record<string, string> = {};
  for (const name of PASSED_ON) {
    const value = worker[name];
    if (value !== undefined) environment[name] = value;
  }
  return { ...environment, LC_ALL: 'C', ...step };
}
