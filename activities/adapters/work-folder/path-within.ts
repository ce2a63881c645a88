import { posix } from 'node:path';
import { cutAfter } from '../../../plan/text/shortened';
import { ToolRefusal } from '../../tool-ports';

const MOST_BYTES = 4000;
const MOST_NAME_BYTES = 255;

/**
 * The names that lead from a folder to a path of an agent's; none for the folder itself. Pure: nothing is looked up. Absolute paths are
 * taken relative to the folder.
 *
 * Invariants: 1. the result leads only downwards; 2. it passes through nothing that git, on any file system, would treat as its own. Fails
 * with a `ToolRefusal`.
 */
export function namesWithin(folders: readonly string[], path: string): string[] {
  if (path.includes('\0')) throw new ToolRefusal('a path must not contain a NUL character');
  if (Buffer.byteLength(path) > MOST_BYTES) throw new ToolRefusal(`a path may have at most ${MOST_BYTES} bytes`);
  if (path.includes('\\') || /^[a-z]:/i.test(path))
    throw new ToolRefusal(`${shownFilePath(path)}: write "/" between folders, and no drive`);
  const below = path.startsWith('/') ? belowOneOf(folders, path) : path;
  const names: string[] = [];
  // No link is followed, so ".." is the folder named before it.
  for (const name of below.split('/')) {
    if (name === '' || name === '.') continue;
    if (name !== '..') names.push(name);
    else if (names.pop() === undefined) throw outside(path);
  }
  const long = names.find((name) => Buffer.byteLength(name) > MOST_NAME_BYTES);
  if (long !== undefined) throw new ToolRefusal(`a name may have at most ${MOST_NAME_BYTES} bytes`);
  if (names.some(isGitFolder)) throw new ToolRefusal(`${shownFilePath(path)} is git's own; it is neither read nor written`);
  return names;
}

function belowOneOf(folders: readonly string[], path: string): string {
  const whole = posix.normalize(path);
  for (const folder of folders) {
    if (whole === folder) return '';
    const start = folder.endsWith('/') ? folder : `${folder}/`;
    if (whole.startsWith(start)) return whole.slice(start.length);
  }
  throw outside(path);
}

function outside(path: string): ToolRefusal {
  return new ToolRefusal(`${shownFilePath(path)} is outside the step's folder; name paths from there, such as "notes/today.md"`);
}

/** Characters that some file systems pass over in names (HFS+). */
const PASSED_OVER = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Some file systems have other spellings of `.git`: in capitals, followed by a dot or blank, as `git~1`, as a stream of it. */
export function isGitFolder(name: string): boolean {
  const plain = name.replace(PASSED_OVER, '').normalize('NFKC').toLowerCase();
  return /^(\.git|git~\d+)[. ]*(:.*)?$/.test(plain);
}

/** A path on one line, whatever it contains. */
export function shownFilePath(path: string): string {
  return JSON.stringify(cutAfter(path, 200));
}
