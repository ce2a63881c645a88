import type { Json } from '../../plan/text/json';
import type { FollowedLog, Ledger, RunKey } from '../../records/ledger';

/** The sum of a log's lines, folded in order. */
export interface Reading {
  take(line: Json): void;
}

interface Followed<R> {
  log: FollowedLog;
  reading: R;
  /** The lines that were read, and how many. */
  lines: readonly Json[] | undefined;
  count: number;
}

/** How many logs a process continues to read from where it stopped. It reads any other log from the start. */
const MOST_FOLLOWED = 64;

/**
 * Reads growing logs for many calls of one process: each look costs only the new lines. A producer of a thousand items that read its whole
 * log for each would read half a million lines.
 */
export function followed<R extends Reading>(begin: () => R): (ledger: Pick<Ledger, 'follow'>, run: RunKey, log: string) => Promise<R> {
  const known = new WeakMap<Pick<Ledger, 'follow'>, Map<string, Followed<R>>>();
  return async (ledger, run, log) => {
    const ofLedger = known.get(ledger) ?? new Map<string, Followed<R>>();
    known.set(ledger, ofLedger);
    const name = JSON.stringify([run.workflowId, run.run, log]);
    const one = ofLedger.get(name) ?? { log: ledger.follow(run, log), reading: begin(), lines: undefined, count: 0 };
    ofLedger.delete(name);
    ofLedger.set(name, one);
    // A Map remembers insertion order, so the first is the one that was read longest ago.
    for (const oldest of ofLedger.keys()) {
      if (ofLedger.size <= MOST_FOLLOWED) break;
      ofLedger.delete(oldest);
    }
    const lines = await one.log.lines();
    if (one.lines !== lines) Object.assign(one, { lines, reading: begin(), count: 0 });
    for (; one.count < lines.length; one.count += 1) one.reading.take(lines[one.count] ?? null);
    return one.reading;
  };
}
