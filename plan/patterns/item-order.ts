import { canonicalJson, type Json } from '../text/json';

/** The facts that decide when an item may begin (docs/patterns.md, CP-11). */
export interface OrderedItem {
  key: Json;
  /** Keys of the items that have to be done first. */
  depends?: Json[];
  /** The files and folders it works on, by normalized paths. */
  files?: string[];
}

/*
 * Invariants: 1. an item begins when all items that it depends on are done; 2. no two items that work on one file run at once, and those
 * that wait for it go in order; 3. an item that depends on unfinished ones reserves no file: so if nothing runs, the first item that
 * depends on nothing may begin.
 */

/** Waiting items, by number. It reads each item once: the time for an item does not grow with the number of others. */
export interface ItemQueue {
  add(index: number, item: OrderedItem): void;
  /** The item begins. */
  take(index: number): void;
  /** Items that depended only on this one may begin from here on. */
  noteDone(key: string): void;
  /** The items that wait only for their turn, in order. */
  readonly inTurn: readonly number[];
}

/** @param done keys of items, as canonical JSON */
export function createItemQueue(done: Iterable<string>): ItemQueue {
  const known = new Set(done);
  /** How many items each of those that are not in turn waits for. */
  const missing = new Map<number, number>();
  const behind = new Map<string, number[]>();
  const inTurn: number[] = [];

  /** The place of a number, or where it would be. */
  function placeOf(index: number): number {
    let [from, to] = [0, inTurn.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((inTurn[middle] ?? 0) < index) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  return {
    inTurn,
    add(index, { depends = [] }) {
      const awaited = [...new Set(depends.map(canonicalJson))].filter((key) => !known.has(key));
      if (awaited.length === 0) inTurn.splice(placeOf(index), 0, index);
      else missing.set(index, awaited.length);
      for (const key of awaited) {
        const others = behind.get(key);
        if (others) others.push(index);
        else behind.set(key, [index]);
      }
    },
    take(index) {
      missing.delete(index);
      const at = placeOf(index);
      if (inTurn[at] === index) inTurn.splice(at, 1);
    },
    noteDone(key) {
      known.add(key);
      for (const index of behind.get(key) ?? []) {
        const left = missing.get(index);
        if (left === undefined) continue;
        if (left > 1) missing.set(index, left - 1);
        else {
          missing.delete(index);
          inTurn.splice(placeOf(index), 0, index);
        }
      }
      behind.delete(key);
    },
  };
}

/** The first of these that may begin alongside the running ones. The time grows with the number of files, not of their pairs. */
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
  /** All folders above the paths. */
  above: Set<string>;
}

function hold({ paths, above }: Held, files: readonly string[]): void {
  for (const file of files) {
    paths.add(file);
    for (const folder of foldersOf(file)) above.add(folder);
  }
}

/** Whether a path is held: by itself, or by a folder or file within or above it. */
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
