import { canonicalJson, type Json } from '../text/json';

/** What says of an item when it may begin (patterns.md, CP-11). */
export interface OrderedItem {
  key: Json;
  /** Keys of the items that have to be done first. */
  depends?: Json[];
  /** What it works on: files and folders, by normal paths. */
  files?: string[];
}

/*
 * Invariants: 1. an item begins when all that it depends on is done; 2. no two items that work on one file are at work at once, and of those that wait for it the first
 * is the first; 3. one that depends on what is not done keeps no file from others: so where nothing is at work, the first item that depends on nothing may begin.
 */

/** Those of the waiting items that wait for nothing but their turn. `done`: keys, as canonical JSON. */
export function itemsInTurn<I extends OrderedItem>(waiting: readonly I[], done: ReadonlySet<string>): I[] {
  return waiting.filter(({ depends = [] }) => depends.every((key) => done.has(canonicalJson(key))));
}

/** The first of these that may begin beside what is at work. It takes as long as there are files, not as pairs of them. */
export function firstReady<I extends OrderedItem>(inTurn: readonly I[], live: readonly OrderedItem[]): I | undefined {
  const held: Held = { paths: new Set(), above: new Set() };
  for (const { files = [] } of live) hold(held, files);
  for (const item of inTurn) {
    const { files = [] } = item;
    if (!files.some((file) => isHeld(held, file))) return item;
    hold(held, files);
  }
  return undefined;
}

/** Files and folders that an item works on or waits for. */
interface Held {
  paths: Set<string>;
  /** Folders that one of them is in. */
  above: Set<string>;
}

function hold({ paths, above }: Held, files: readonly string[]): void {
  for (const file of files) {
    paths.add(file);
    for (const folder of foldersOf(file)) above.add(folder);
  }
}

/** One path, or a folder and what is within it. */
function isHeld({ paths, above }: Held, file: string): boolean {
  return paths.has(file) || above.has(file) || foldersOf(file).some((folder) => paths.has(folder));
}

/** `src/a/b.ts`: `src/a`, `src` and the folder that all are in. */
function foldersOf(path: string): string[] {
  if (path === '.') return [];
  const folders = ['.'];
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) folders.push(path.slice(0, end));
  return folders;
}
