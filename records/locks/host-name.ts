import { hostname } from 'node:os';

/** The variable that names a host whose hostname changes, such as that of a container. */
export const HOST_VARIABLE = 'THERMIDOR_HOST';

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

/** By the settings of this process. */
let named: string | undefined;

/** Names the host of this process as its settings do; the variable wins. */
export function nameHost(name: string | undefined): void {
  named = name;
}

export function hostName(env: NodeJS.ProcessEnv = process.env): string {
  return givenHostName(env) ?? hostname();
}

/** Undefined if the host goes by its hostname. */
export function givenHostName(env: NodeJS.ProcessEnv = process.env): string | undefined {
  return env[HOST_VARIABLE] || named;
}

/** Letters, digits, `.`, `_` and `-`, beginning with a letter or digit, at most 63. */
export function isHostName(name: string): boolean {
  return NAME.test(name);
}
