import { constants, cp, lstat, mkdir, realpath, rm } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';
import { errorCode } from '../../../plan/error-code';
import { orAbsent } from './absent';
import { repositoryFailure } from './failures';

/**
 * Copies files and folders from one folder into another, keeping their names. Invariants: 1. nothing is read or written outside of the two,
 * whatever links are there; 2. `.git` is left out, at any depth; 3. a missing file fails before anything is copied.
 */
export async function copyInto(from: string, to: string, names: readonly string[]): Promise<void> {
  const [source, target] = await Promise.all([realpath(from), realpath(to)]);
  for (const name of names) await checkName(source, name);
  for (const name of names) {
    const path = join(target, name);
    await makeFolder(target, dirname(path));
    await rm(path, { recursive: true, force: true });
    await cp(join(source, name), path, {
      recursive: true,
      verbatimSymlinks: true,
      preserveTimestamps: true,
      mode: constants.COPYFILE_FICLONE,
      filter: (path) => !isGitName(basename(path)),
    });
  }
}

async function checkName(source: string, name: string): Promise<void> {
  const parts = name.split('/');
  const refused = isAbsolute(name) || name.includes('\0') || parts.some((part) => ['', '.', '..'].includes(part) || isGitName(part));
  if (refused) throw repositoryFailure('invalid-path', `${JSON.stringify(name)} cannot be copied`);
  const path = join(source, name);
  if (!(await orAbsent(lstat(path)))) throw repositoryFailure('path-missing', `there is no ${JSON.stringify(name)} in ${source}`);
  checkWithin(source, await realpath(dirname(path)));
}

/** Some file systems take it in any case. */
function isGitName(name: string): boolean {
  return name.toLowerCase() === '.git';
}

/** One folder at a time: a link may lead outside. */
async function makeFolder(root: string, folder: string): Promise<void> {
  if (folder === root) return;
  await makeFolder(root, dirname(folder));
  await mkdir(folder).catch((error: unknown) => {
    if (errorCode(error) !== 'EEXIST') throw error;
  });
  checkWithin(root, await realpath(folder));
}

function checkWithin(root: string, path: string): void {
  if (path !== root && !path.startsWith(root + sep)) throw repositoryFailure('invalid-path', `${path} lies outside of ${root}`);
}
