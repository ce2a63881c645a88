import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, join, sep } from 'node:path';

/**
 * The Lobster to compare with: what THERMIDOR_LOBSTER names, or `lobster` on the PATH. Undefined if there is none; our own program under
 * that name does not count.
 *
 * @param ownFolder everything below it is ours
 */
export function findLobster(env: NodeJS.ProcessEnv, ownFolder: string): string | undefined {
  const named = env['THERMIDOR_LOBSTER'];
  if (named) {
    if (!isExecutable(named)) throw new Error(`THERMIDOR_LOBSTER is ${named}, which is no program that can be run`);
    return named;
  }
  const own = realpathSync(ownFolder) + sep;
  return (env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, 'lobster'))
    .find((path) => isExecutable(path) && !realpathSync(path).startsWith(own));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

export const NO_LOBSTER = 'no Lobster here: its column is left out (install it, or name its program in THERMIDOR_LOBSTER)';
