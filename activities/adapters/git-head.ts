import { constants, open, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { WorkHead } from '../ports';

/**
 * The commit of a folder's git work tree, read from git's own files. Not by git itself: heartbeats of many agents come together, and
 * starting a program for each would block the worker.
 *
 * Invariants: 1. reading changes nothing there; 2. only plain files are read, and none beyond `MOST_BYTES`, because agents can write there;
 * 3. the result is a commit's name, whatever the files contain. There is no result for a repository that keeps its refs in tables.
 */
export const gitHead: WorkHead = async (folder) => {
  const own = await gitFolder(folder);
  if (own === undefined) return undefined;
  const common = await textOf(join(own, 'commondir'));
  const shared = common === undefined ? own : resolve(own, common.trim());
  let said = await textOf(join(own, 'HEAD'));
  for (let followed = 0; followed < MOST_REFS; followed++) {
    const ref = said?.match(REF)?.[1];
    if (ref === undefined) break;
    said = (await textOf(join(own, ref))) ?? (await textOf(join(shared, ref))) ?? packed(await textOf(join(shared, 'packed-refs')), ref);
  }
  return said?.match(COMMIT)?.[1];
};

const REF = /^ref:\s*(refs\/\S+)\s*$/;
const COMMIT = /^([0-9a-f]{40}|[0-9a-f]{64})\s*$/;
/** One ref may name another. */
const MOST_REFS = 5;
const MOST_BYTES = 1024 * 1024;

/**
 * The git folder of the enclosing work tree: a folder, or a file that names it. Progress is shown without a commit if it cannot be read.
 */
async function gitFolder(folder: string): Promise<string | undefined> {
  for (let tree = resolve(folder); ; tree = dirname(tree)) {
    const path = join(tree, '.git');
    // Missing or unreadable: the folder above may have one.
    const found = await stat(path).catch(() => undefined);
    if (found?.isDirectory()) return path;
    const elsewhere = found && folderNamed(await textOf(path));
    if (elsewhere !== undefined) return resolve(tree, elsewhere);
    if (tree === dirname(tree)) return undefined;
  }
}

/** No regular expression: agents can write there, and one could backtrack over blanks again and again. */
function folderNamed(text: string | undefined): string | undefined {
  const mark = 'gitdir:';
  const named = text?.startsWith(mark) ? text.slice(mark.length).trim() : '';
  return named === '' || named.includes('\n') ? undefined : named;
}

/** Lines of `<commit> <ref>`. */
function packed(text: string | undefined, ref: string): string | undefined {
  const at = text?.indexOf(` ${ref}\n`) ?? -1;
  return at < 0 ? undefined : text?.slice(text.lastIndexOf('\n', at) + 1, at);
}

async function textOf(path: string): Promise<string | undefined> {
  // A pipe with nobody at its other end would never open. A file that cannot be opened counts as empty.
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => undefined);
  if (!handle) return undefined;
  try {
    const found = await handle.stat();
    return found.isFile() && found.size <= MOST_BYTES ? await handle.readFile('utf8') : undefined;
  } finally {
    await handle.close();
  }
}
