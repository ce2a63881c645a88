import { chmodSync, type Dirent, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../../plan/error-code';
import { STATE_FILE_MODE, STATE_FOLDER_MODE } from '../../plan/run/state-file-modes';
import { STATE_NAMES } from './state-layout';

const OF_OTHERS = 0o077;
const STICKY = 0o1000;

/**
 * Makes a state folder its owner's alone: creates it where it is missing, and narrows what is open in one that is there. Only the top is
 * looked at, because nobody passes a closed folder. A folder that holds anything else too is somebody's own, such as a home or `/tmp`: it
 * keeps its mode, and what is ours in it is narrowed. What another user owns is left; `thermidor doctor` shows it.
 */
export function closeStateFolder(root: string): void {
  mkdirSync(root, { recursive: true, mode: STATE_FOLDER_MODE });
  const entries = readdirSync(root, { withFileTypes: true });
  const ours = entries.filter(({ name }) => STATE_NAMES.test(name));
  for (const entry of ours) close(join(root, entry.name), entry);
  if (ours.length < entries.length) return;
  close(root);
  writeIgnoreFile(root);
}

/**
 * Keeps git from seeing a state folder in somebody's repository: the folder ignores itself. One that holds anything else too is somebody's
 * own and stays as it is, and so does a `.gitignore` that is there.
 */
export function keepOutOfGit(root: string): void {
  if (readdirSync(root).every((name) => STATE_NAMES.test(name))) writeIgnoreFile(root);
}

function writeIgnoreFile(root: string): void {
  try {
    writeFileSync(join(root, '.gitignore'), '*\n', { flag: 'wx', mode: STATE_FILE_MODE });
  } catch (error) {
    // It is there; or only the stores below the top are this user's, which is enough for them.
    if (!['EEXIST', 'EACCES', 'EPERM', 'EROFS'].includes(errorCode(error) ?? '')) throw error;
  }
}

/** What others may read or enter in a state folder: the paths at its top that are open, or the folder itself. None where it is closed. */
export function modesOpenToOthers(root: string): string[] {
  if (modeOf(root) === undefined || !isOpen(root)) return [];
  const paths = readdirSync(root)
    .filter((name) => STATE_NAMES.test(name))
    .map((name) => join(root, name));
  return paths.filter(isOpen);
}

function close(path: string, entry?: Dirent): void {
  if (entry?.isSymbolicLink()) return;
  const mode = modeOf(path);
  if (mode === undefined || (mode & OF_OTHERS) === 0 || (mode & STICKY) !== 0) return;
  try {
    chmodSync(path, mode & (entry?.isFile() ? STATE_FILE_MODE : STATE_FOLDER_MODE));
  } catch {
    // Another user's, or gone meanwhile.
  }
}

function isOpen(path: string): boolean {
  return ((modeOf(path) ?? 0) & OF_OTHERS) !== 0;
}

function modeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mode;
}
