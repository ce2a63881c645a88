import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { errorCode } from '../../plan/error-code';

export interface FolderProblem {
  /** The reason without the folder's name: `is in the git checkout /home/me`. */
  says: string;
  hint: string;
}

/**
 * Why worktrees must not be in a folder, which need not exist yet; undefined if they may. In a checkout, a git that finds the worktree's
 * own `.git` broken would work in that checkout; below a `node_modules`, imports that a worktree lacks would come from there.
 */
export function folderProblem(folder: string): FolderProblem | undefined {
  for (let at = realPathOf(resolve(folder)); ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return { says: `is in the git checkout ${at}`, hint: HINT };
    if (isRepository(at)) return { says: `is in the git repository ${at}`, hint: HINT };
    if (basename(at) === 'node_modules') return { says: `is in ${at}`, hint: HINT };
    const modules = join(at, 'node_modules');
    if (existsSync(modules)) return { says: `is below ${modules}, whose packages programs in worktrees would find`, hint: HINT };
    if (dirname(at) === at) return undefined;
  }
}

const HINT =
  'set worktrees.folder in thermidor.yaml, or THERMIDOR_WORKTREES, to a folder outside of checkouts and with no node_modules above it';

/** Whether git would recognise a repository, such as a bare one. */
function isRepository(folder: string): boolean {
  return ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(folder, name)));
}

/** The real path of the existing part. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || dirname(path) === path) throw error;
    return join(realPathOf(dirname(path)), basename(path));
  }
}
