/** The variables of the worker's environment that a command sees. All others may be secrets, so they are left out. */
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
 * The environment of a command: the inherited one unchanged, else the allowlist with a fixed locale; and the step's own variables, which
 * win.
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
