import { idOf, type MemoryItem, readMemory } from './memory-file';

/** How agents are given a memory. */
export interface MemorySpec {
  file: string;
  /** @default DEFAULT_MEMORY_BYTES */
  maxBytes?: number;
  /** The order of entries: by the first key, then by the next. @default MEMORY_ORDERS */
  order?: MemoryOrder[];
}

export const MEMORY_ORDERS = ['confirmed', 'newest'] as const;
export type MemoryOrder = (typeof MEMORY_ORDERS)[number];

const DEFAULT_MEMORY_BYTES = 16 * 1024;
/** The most bytes of the file: a larger one is neither read nor added to. */
export const MOST_MEMORY_BYTES = 1024 * 1024;

export interface Recalled {
  /** One line for each entry; empty if the memory is. */
  text: string;
  entries: { id: string; text: string }[];
  /** Entries that did not fit. */
  left: number;
  problems: string[];
}

/**
 * The part of a memory file that agents get: people's entries as they are in the file, then those of runs, in the requested order. An entry
 * that does not fit is left out, but smaller ones after it are not.
 */
export function recall(file: string, { maxBytes = DEFAULT_MEMORY_BYTES, order = [...MEMORY_ORDERS] }: Omit<MemorySpec, 'file'>): Recalled {
  const { items } = readMemory(file);
  const known = items.flatMap((item) => (item.kind === 'unreadable' ? [] : [item]));
  const notes = known.filter(({ kind }) => kind === 'note');
  const entries = known.flatMap((item) => (item.kind === 'entry' ? [item] : []));
  entries.sort((a, b) => order.map((by) => BY[by](a.facts, b.facts)).find((way) => way !== 0) ?? 0);
  let room = maxBytes;
  const shown: Recalled['entries'] = [];
  const lines: string[] = [];
  for (const item of [...notes, ...entries]) {
    const line = lineOf(item);
    const sizeBytes = new TextEncoder().encode(`${line}\n`).length;
    if (sizeBytes > room) continue;
    room -= sizeBytes;
    lines.push(line);
    shown.push({ id: idOf(item) ?? '', text: item.text });
  }
  return {
    text: lines.join('\n'),
    entries: shown,
    left: known.length - shown.length,
    problems: items.flatMap((item) => (item.kind === 'unreadable' ? [item.problem] : [])),
  };
}

type Facts = Extract<MemoryItem, { kind: 'entry' }>['facts'];

const BY: Readonly<Record<MemoryOrder, (a: Facts, b: Facts) => number>> = {
  confirmed: (a, b) => b.confirmed - a.confirmed,
  newest: (a, b) => (a.last < b.last ? 1 : a.last > b.last ? -1 : 0),
};

/** `- Run the linter first. (m-1a2b3c4d, confirmed by 2 runs, last 2026-02-03)`. */
function lineOf(item: Exclude<MemoryItem, { kind: 'unreadable' }>): string {
  if (item.kind === 'note') return `- ${item.text} (${item.id}, written by a person)`;
  const { id, kind, confirmed, last } = item.facts;
  const word = kind === 'prevention' ? 'to prevent trouble: ' : '';
  return `- ${word}${item.text} (${id}, ${confirmed === 1 ? 'from one run' : `confirmed by ${confirmed} runs`}, last ${last})`;
}
