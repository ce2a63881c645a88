import type { RecordedItem } from '../../plan/steps/stream';
import { canonicalJson, field, isJsonObject, type Json } from '../../plan/text/json';
import type { Ledger, RunKey } from '../../records/ledger';

/** What the log of a producer's items says: the first of each key, in order, and what came again. */
export interface ItemLog {
  items: LoggedItem[];
  /** Emitted again by an act of its own: neither a repetition after a crash, nor what another try of the producer says once more. */
  again: LoggedItem[];
  lines: number;
}

export interface LoggedItem extends RecordedItem {
  /** The line that it is on, from 0. */
  line: number;
}

export async function readItemLog({ ledger }: { ledger: Pick<Ledger, 'lines'> }, run: RunKey, stream: string): Promise<ItemLog> {
  const lines = await ledger.lines(run, stream);
  const byKey = new Map<string, LoggedItem>();
  const again: LoggedItem[] = [];
  for (const [line, said] of lines.entries()) {
    const item = readItem(said);
    if (!item) continue;
    const key = canonicalJson(item.key);
    const first = byKey.get(key);
    if (!first) byKey.set(key, { ...item, line });
    else if (!isRepetition(first, item)) again.push({ ...item, line });
  }
  return { items: [...byKey.values()], again, lines: lines.length };
}

/** Each try of a producer may begin anew, and say all that one before has said. */
function isRepetition(first: RecordedItem, item: RecordedItem): boolean {
  if (first.id === item.id) return true;
  return 'call' in first.from && 'call' in item.from && first.from.call !== item.from.call;
}

/** The ledger is Thermidor's own: a line is what was appended there. */
function readItem(line: Json): RecordedItem | undefined {
  const known: unknown = line;
  return isJsonObject(line) && typeof field(line, 'id') === 'string' && isJsonObject(line['item']) ? (known as RecordedItem) : undefined;
}

/** How many items of a stream no longer wait, as the run has noted it. */
export async function readTaken({ ledger }: { ledger: Pick<Ledger, 'lines'> }, run: RunKey, stream: string): Promise<number> {
  const noted = (await ledger.lines(run, takenLog(stream))).map((line) => field(line, 'taken'));
  return noted.reduce<number>((most, taken) => (typeof taken === 'number' && taken > most ? taken : most), 0);
}

export function takenLog(stream: string): string {
  return `${stream}/taken`;
}
