import type { RecordedItem } from '../../plan/steps/stream';
import { canonicalJson, field, isJsonObject, type Json } from '../../plan/text/json';
import type { Ledger, RunKey } from '../../records/ledger';
import { followed } from './followed';

/** A producer's items from its log: the first of each key, in order, and repeated ones. Later looks add to it. */
export interface ItemLog {
  items: readonly LoggedItem[];
  /** The first item with a key. */
  first(key: Json): LoggedItem | undefined;
  /** Items emitted again on purpose: neither repeated after a crash, nor by another try of the producer. One for each key. */
  again: readonly LoggedItem[];
  hasAgain(key: Json): boolean;
  lines: number;
}

export interface LoggedItem extends RecordedItem {
  /** The line that it is on, from 0. */
  line: number;
}

export async function readItemLog({ ledger }: { ledger: Pick<Ledger, 'follow'> }, run: RunKey, stream: string): Promise<ItemLog> {
  return await ITEMS(ledger, run, stream);
}

/** How many items of a stream no longer wait, as the run has noted it, and whether as many may wait as come. */
export async function readTaken({ ledger }: { ledger: Pick<Ledger, 'follow'> }, run: RunKey, stream: string): Promise<Taken> {
  return await TAKEN(ledger, run, takenLog(stream));
}

export interface Taken {
  most: number;
  unbounded: boolean;
}

export function takenLog(stream: string): string {
  return `${stream}/taken`;
}

/** Each try of a producer may begin anew, and repeat everything that an earlier one emitted. */
export function isRepetition(first: RecordedItem, item: Pick<RecordedItem, 'id' | 'from'>): boolean {
  if (first.id === item.id) return true;
  return 'call' in first.from && 'call' in item.from && first.from.call !== item.from.call;
}

class ItemLines implements ItemLog {
  readonly items: LoggedItem[] = [];
  readonly again: LoggedItem[] = [];
  lines = 0;
  private readonly firsts = new Map<string, LoggedItem>();
  private readonly repeated = new Set<string>();

  take(said: Json): void {
    const line = this.lines;
    this.lines += 1;
    const item = readItem(said);
    if (!item) return;
    const key = canonicalJson(item.key);
    const first = this.firsts.get(key);
    if (!first) {
      const logged = { ...item, line };
      this.firsts.set(key, logged);
      this.items.push(logged);
    } else if (!isRepetition(first, item) && !this.repeated.has(key)) {
      this.repeated.add(key);
      this.again.push({ ...item, line });
    }
  }

  first(key: Json): LoggedItem | undefined {
    return this.firsts.get(canonicalJson(key));
  }

  hasAgain(key: Json): boolean {
    return this.repeated.has(canonicalJson(key));
  }
}

class TakenLines implements Taken {
  most = 0;
  unbounded = false;

  take(said: Json): void {
    const taken = field(said, 'taken');
    if (typeof taken === 'number' && taken > this.most) this.most = taken;
    this.unbounded = field(said, 'unbounded') === true;
  }
}

const ITEMS = followed(() => new ItemLines());
const TAKEN = followed(() => new TakenLines());

/** The ledger is Thermidor's own: a line is what was appended there. */
function readItem(line: Json): RecordedItem | undefined {
  const known: unknown = line;
  return isJsonObject(line) && typeof field(line, 'id') === 'string' && isJsonObject(line['item']) ? (known as RecordedItem) : undefined;
}
