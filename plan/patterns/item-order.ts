import { canonicalJson, type Json } from '../text/json';

/** What says of an item when it may begin (patterns.md, CP-11). */
export interface OrderedItem {
  key: Json;
  /** Keys of the items that have to be done first. */
  depends?: Json[];
  /** What it works on: files and folders, by normal paths. */
  files?: string[];
}

/**
 * Which of the waiting items may begin, and how many wait for nothing but their turn.
 *
 * Invariants: 1. an item begins when all that it depends on is done; 2. no two items that work on one file are at work at once, and of those that wait for it the first
 * is the first; 3. one that depends on what is not done keeps no file from others: so where nothing is at work, the first item that depends on nothing may begin.
 */
export function readyItems<I extends OrderedItem>(
  waiting: readonly I[],
  live: readonly OrderedItem[],
  done: ReadonlySet<string>,
): { ready: I[]; inTurn: number } {
  const taken = live.flatMap(({ files = [] }) => files);
  const inTurn = waiting.filter(({ depends = [] }) => depends.every((key) => done.has(canonicalJson(key))));
  const ready: I[] = [];
  for (const item of inTurn) {
    const { files = [] } = item;
    if (!files.some((file) => taken.some((other) => overlaps(file, other)))) ready.push(item);
    taken.push(...files);
  }
  return { ready, inTurn: inTurn.length };
}

/** One file, or a folder and what is within it. */
export function overlaps(one: string, other: string): boolean {
  return one === other || one.startsWith(folder(other)) || other.startsWith(folder(one));
}

function folder(path: string): string {
  return path === '.' ? '' : `${path}/`;
}
