import { chmodSync, type Dirent, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../../plan/error-code';
import { STATE_FILE_MODE, STATE_FOLDER_MODE } from '../../plan/run/state-file-modes';
import { STATE_NAMES } from './state-layout';

const OF_OTHERS = 0o077;
const STICKY = 0o1000;

/**
 * Closes a state folder to everybody but its owner: creates it if it is missing, and narrows what is open in an existing one. Only the top
 * is checked, because nobody can pass a closed folder. A folder that also holds other things is somebody's own, such as a home or `/tmp`:
 * it keeps its mode, and only our parts of it are narrowed. Parts that another user owns are left; `thermidor doctor` shows them.
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
 * Keeps git from seeing a state folder in somebody's repository: the folder ignores itself. One that also holds other things is somebody's
 * own and stays unchanged, and so does an existing `.gitignore`.
 */
export function keepOutOfGit(root: string): void {
  if (readdirSync(root).every((name) => STATE_NAMES.test(name))) writeIgnoreFile(root);
}

function writeIgnoreFile(root: string): void {
  try {
    writeFileSync(join(root, '.gitignore'), '*\n', { flag: 'wx', mode: STATE_FILE_MODE });
  } catch (error) {
    // It exists; or only the stores below the top are this user's, which is enough for them.
    if (!['EEXIST', 'EACCES', 'EPERM', 'EROFS'].includes(errorCode(error) ?? '')) throw error;
  }
}

/** What others may read or enter in a state folder: the open paths at its top, or the folder itself. None if it is closed. */
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
