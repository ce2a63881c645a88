import { defined } from '../plan/defined';
import { field, isJsonObject } from '../plan/text/json';
import type { CallerEnvironment } from './caller-environments';

/** A caller as text. Variables without a value are left out. */
export function callerText({ env, cwd }: { env: NodeJS.ProcessEnv; cwd?: string }): string {
  return JSON.stringify({ env: definedVariables(env), ...defined({ cwd }) });
}

/** Undefined if the text is none of a caller. */
export function callerIn(text: string): CallerEnvironment | undefined {
  try {
    const read: unknown = JSON.parse(text);
    return isCaller(read) ? read : undefined;
  } catch {
    return undefined;
  }
}

const OURS = 'THERMIDOR_';

/** What commands see of a worker's own environment: Thermidor's configuration and its keys are no command's business. */
export function withoutOurs(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(definedVariables(environment)).filter(([name]) => !name.startsWith(OURS)));
}

function definedVariables(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])));
}

function isCaller(value: unknown): value is CallerEnvironment {
  const [env, cwd] = [field(value, 'env'), field(value, 'cwd')];
  if (!isJsonObject(env) || !Object.values(env).every((entry) => typeof entry === 'string')) return false;
  return cwd === undefined || typeof cwd === 'string';
}
