import { userInfo } from 'node:os';
import type { Terminal } from './terminal';

/** Who is at the terminal: as configured, else your login name; undefined if the system has none. */
export function userOf({ env }: Pick<Terminal, 'env'>, configured: string | undefined): string | undefined {
  return configured ?? (env['USER'] || env['LOGNAME'] || env['USERNAME'] || loggedIn());
}

function loggedIn(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    // A container's user may have no entry in the system's list.
    return undefined;
  }
}
