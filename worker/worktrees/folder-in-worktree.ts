import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { errorCode } from '../../plan/error-code';
import { ThermidorFailure } from '../../plan/run/failure';

/** The folder that a step names, within its worktree: no path and no link leads out of it. Fails with `agent.no-folder`. */
export async function folderInWorktree(tree: string, named: string): Promise<string> {
  const refused = (why: string) =>
    new ThermidorFailure('agent.no-folder', `the folder "${named}" ${why}; \`cwd\` counts from the worktree's root`);
  if (isAbsolute(named) || !isBelow(tree, resolve(tree, named))) throw refused("is not within the step's worktree");
  const real = await realpath(resolve(tree, named)).catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(errorCode(error) ?? '')) throw refused("is not in the step's worktree");
    throw error;
  });
  if (!isBelow(tree, real)) throw refused("leads out of the step's worktree");
  return real;
}

function isBelow(tree: string, folder: string): boolean {
  const way = relative(tree, folder);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
