import type { RunKey } from '../ledger';
import type { LogEntry, StepLogs } from '../step-logs';
import type { NamedLog } from './choose-logs';
import { type LogOwner, ownerIn } from './log-owner';

/** A whole line of a log. */
export interface PrintedLine {
  /** ISO 8601, of its end. */
  at: string;
  step: string;
  from: 'stdout' | 'stderr' | 'note';
  text: string;
  /** For a board: who has printed it, and the task that its work began with. */
  member?: string;
  task?: number;
}

/** The position of reading a log, from which it continues. */
export interface LogReading {
  log: NamedLog;
  next: number;
  /** The beginnings of lines that continue, by stream. */
  open: Map<string, PrintedLine>;
  /** The time of the last line. */
  at: string;
  owner?: LogOwner;
}

/** The limit of an unfinished line; beyond it the text so far counts as a line. */
const OPEN_CHARACTERS = 1024 * 1024;

export function startLogReading(log: NamedLog): LogReading {
  return { log, next: 0, open: new Map(), at: '' };
}

/** Lines of several logs from their positions on, ordered by time. Only logs that overlap in time are open together. */
export async function* linesInOrder(logs: StepLogs, run: RunKey, readings: readonly LogReading[]): AsyncGenerator<PrintedLine> {
  const waiting = (await Promise.all(readings.map((reading) => firstOf(logs, run, reading)))).flatMap((found) => found ?? []);
  waiting.sort((a, b) => a.at.localeCompare(b.at));
  const open: { lines: AsyncGenerator<PrintedLine>; head: PrintedLine }[] = [];
  const advance = async (lines: AsyncGenerator<PrintedLine>): Promise<void> => {
    const next = await lines.next();
    if (next.done) return;
    // After those of the same moment, so that each log stays in its own order.
    const place = open.findIndex(({ head }) => head.at > next.value.at);
    open.splice(place < 0 ? open.length : place, 0, { lines, head: next.value });
  };
  try {
    for (;;) {
      const [first] = open;
      const [soonest] = waiting;
      if (soonest && (!first || soonest.at <= first.head.at)) {
        waiting.shift();
        await advance(linesOf(logs, run, soonest.reading));
      } else if (first) {
        open.shift();
        yield first.head;
        await advance(first.lines);
      } else return;
    }
  } finally {
    for (const { lines } of open) await lines.return(undefined);
  }
}

/** The unfinished line at the end of the log. */
export function unfinished({ open }: LogReading): PrintedLine[] {
  const lines = [...open.values()];
  open.clear();
  return lines;
}

async function firstOf(logs: StepLogs, run: RunKey, reading: LogReading): Promise<{ at: string; reading: LogReading } | undefined> {
  for await (const entry of logs.read(run, reading.log.name, reading.next)) {
    return { at: entry.kind === 'line' ? entry.at : reading.at, reading };
  }
  return undefined;
}

async function* linesOf(logs: StepLogs, run: RunKey, reading: LogReading): AsyncGenerator<PrintedLine> {
  for await (const entry of logs.read(run, reading.log.name, reading.next)) {
    reading.next = entry.next;
    // An unfinished line of a lost attempt is not continued by the next.
    if (entry.kind === 'line' && entry.from === 'note') yield* unfinished(reading);
    const line = lineOf(entry, reading);
    if (line) yield line;
  }
}

function lineOf(entry: LogEntry, reading: LogReading): PrintedLine | undefined {
  const step = reading.log.shown;
  if (entry.kind === 'gap') return { at: reading.at, step, from: 'note', text: `${entry.bytes} bytes of the log are not kept` };
  const { at, from, goesOn } = entry;
  reading.at = at;
  const text = `${reading.open.get(from)?.text ?? ''}${entry.text}`;
  if (goesOn && text.length < OPEN_CHARACTERS) {
    reading.open.set(from, { at, step, from, text, ...reading.owner });
    return undefined;
  }
  reading.open.delete(from);
  const owner = from === 'note' ? ownerIn(text) : undefined;
  if (owner) reading.owner = owner;
  // The first line of each log only names it.
  if (owner || (from === 'note' && text === `log of ${reading.log.name}`)) return undefined;
  return { at, step, from, text, ...reading.owner };
}
