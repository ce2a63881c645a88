import { isRepetition } from '../../activities/streams/item-log';
import type { EmitSpec, EmittedItem, EmittedOutput, RecordedItem } from '../../plan/steps/stream';

/** The log of a producer's items, like that of ledgers (`activities/streams/item-log.ts`), and the run's notes about it. */
export interface EmittedLog {
  items: RecordedItem[];
  /** Items that another act emitted again, each with its line. */
  again: { said: RecordedItem; line: number }[];
  lines: number;
  taken: number;
  isUnbounded: boolean;
}

export function openLog(): EmittedLog {
  return { items: [], again: [], lines: 0, taken: 0, isUnbounded: false };
}

/** How many more items may wait. */
export function roomIn({ items, taken, isUnbounded }: EmittedLog, { maxWaiting }: EmitSpec): number {
  return isUnbounded ? Number.POSITIVE_INFINITY : Math.max(0, maxWaiting - (items.length - taken));
}

/** The first item of each key counts. If another act emits it again, this is noted once. @returns whether the item is another act's */
export function recordItem(log: EmittedLog, item: RecordedItem): boolean {
  const first = log.items.find(({ key }) => key === item.key);
  if (!first) log.items.push(item);
  else if (first.id === item.id) return false;
  else if (isRepetition(first, item) || log.again.some(({ said }) => said.key === item.key)) return true;
  else log.again.push({ said: item, line: log.lines });
  log.lines += 1;
  return first !== undefined;
}

export function itemsAfter({ items, again, lines }: EmittedLog, after: number, known: number): Omit<EmittedOutput, 'list'> {
  return {
    items: items.slice(after).map(({ id: _id, from: _from, ...item }): EmittedItem => item),
    again: again.filter(({ line }) => line >= known).map(({ said: { key, from } }) => ({ key, ...('by' in from ? { by: from.by } : {}) })),
    lines,
  };
}
