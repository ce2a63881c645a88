import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ThermidorFailure } from '../../plan/run/failure';
import { jsonIn } from '../../plan/text/json-text';
import type { RunKey } from '../ledger';
import { lineText, parseLine } from '../logs/line-text';
import { HEAD_BYTES, type LogSink, queuedLogWriter, TAIL_BYTES } from '../logs/queued-log-writer';
import type { LogEntry, LogOptions, LogWatch, LogWriter, StepLogs } from '../step-logs';
import type { Database } from './database';
import { sqlState } from './database-problem';
import { LOG_CHANNEL, LogListening, logTopic } from './log-listening';
import { rowId } from './log-rows';

/** Lines of a log are seen at the latest so long after they were printed; a program that prints much writes so many rows. */
const GATHER_MS = 200;

/** A database that is away is asked again after so long. */
const AWAY_MS = 1000;

/** How many pieces, of about 256 KiB at most, are read at once. */
const PAGE = 8;

const NEWLINE = 0x0a;
const UNIQUE_VIOLATION = '23505';

/**
 * Logs of steps as rows, each of which has the lines that were written at once, in the words of `line-text.ts`. The beginning of a log and
 * its end are kept. Positions count the bytes of all lines that it ever had.
 *
 * A crash of the database may cost what was written in the half second before.
 */
export class LogPieces implements StepLogs {
  private readonly listening: LogListening;

  /** @param limits of the beginning, and of the end, in bytes */
  constructor(
    private readonly database: Database,
    private readonly limits = { headBytes: HEAD_BYTES, tailBytes: 2 * TAIL_BYTES },
  ) {
    this.listening = new LogListening(database);
  }

  watch(run: RunKey): LogWatch {
    return this.listening.watch(run);
  }

  open(run: RunKey, name: string, { attempt, trouble }: LogOptions): LogWriter {
    let [isTroubled, isBegun] = [false, false];
    const troubled = (reason: string): void => {
      if (!isTroubled) trouble(reason);
      isTroubled = true;
    };
    const append = async (text: string, firstAt: string, closing: AbortSignal): Promise<void> => {
      const note = (said: string) => Buffer.from(isBegun ? '' : lineText({ at: firstAt, from: 'note', text: said }));
      const { headBytes, tailBytes } = this.limits;
      const head = [rowId(run, name), run.workflowId, run.run, JSON.stringify(name)];
      const values = [...head, note(`log of ${name}`), note(`goes on, attempt ${attempt}`), Buffer.from(text), randomUUID()];
      for (;;) {
        try {
          await this.database.query(APPEND, [...values, headBytes, tailBytes, LOG_CHANNEL, logTopic(run)]);
          isBegun = true;
          return;
        } catch (error) {
          isBegun ||= sqlState(error) === UNIQUE_VIOLATION;
          // The answer of an earlier try was lost, and its lines were not.
          if (sqlState(error) === UNIQUE_VIOLATION) return;
          // Lines wait until the database is back.
          if (!isAway(error)) throw error;
          troubled(error.message);
          if (closing.aborted) throw error;
          await sleep(AWAY_MS, undefined, { signal: closing, ref: false }).catch(() => undefined);
        }
      }
    };
    const openSink = async (firstAt: string, closing: AbortSignal): Promise<LogSink> => ({
      append: (text) => append(text, firstAt, closing),
      close: async () => undefined,
    });
    return queuedLogWriter({ trouble: troubled, open: openSink, gatherMs: GATHER_MS });
  }

  async list({ workflowId, run }: RunKey): Promise<string[]> {
    const logs = await this.database.query<{ name: string }>(LIST, [workflowId, run]);
    return logs.map(({ name }) => String(jsonIn(name)));
  }

  async *read(run: RunKey, name: string, from = 0): AsyncGenerator<LogEntry> {
    let position = from;
    for (;;) {
      const pieces = await this.database.query<{ start: number; bytes: Buffer }>(READ, [rowId(run, name), position, PAGE]);
      for (const { start, bytes } of pieces) {
        if (start > position) yield { kind: 'gap', bytes: start - position, next: start };
        for (const entry of linesOf(bytes, start)) if (entry.next > position) yield entry;
        position = start + bytes.byteLength;
      }
      if (pieces.length < PAGE) return;
    }
  }

  async locate(): Promise<undefined> {
    return undefined;
  }
}

function* linesOf(bytes: Buffer, start: number): Generator<LogEntry> {
  let begin = 0;
  for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, begin)) {
    const line = parseLine(bytes.toString('utf8', begin, end));
    begin = end + 1;
    if (line) yield { kind: 'line', next: start + begin, ...line };
  }
}

function isAway(error: unknown): error is ThermidorFailure {
  return error instanceof ThermidorFailure && error.code === 'store.unavailable';
}

/**
 * Lines become visible in their order, because whichever statement adds some has the lock of the log's row. Notifications are committed one
 * after the other: a commit that does not wait for the disk is not slowed by that (docs/internals/benchmarks.md).
 */
const APPEND = `
with given as (
  select case when exists (select from thermidor.step_log where id = $1) then $6::bytea else $5::bytea end || $7::bytea as bytes
), head as (
  insert into thermidor.step_log as log (id, workflow_id, run, name, length) select $1, $2, $3, $4, length(bytes) from given
  on conflict (id) do update set length = log.length + excluded.length, added_at = clock_timestamp()
  returning length
), piece as (
  insert into thermidor.step_log_piece (log, start, bytes, append)
  select $1, head.length - length(given.bytes), given.bytes, $8::uuid from head, given
), dropped as (
  delete from thermidor.step_log_piece as piece using head
  where piece.log = $1 and piece.start >= $9::bigint and piece.start < head.length - $10::bigint
)
select set_config('synchronous_commit', 'off', true), pg_notify($11, $12)`;

const LIST = 'select name from thermidor.step_log where workflow_id = $1 and run = $2';

/** From the piece on in which the position is. */
const READ = `
select start::float8 as start, bytes from thermidor.step_log_piece as piece
where log = $1 and start + length(bytes) > $2::bigint
  and start >= coalesce((select max(start) from thermidor.step_log_piece where log = $1 and start <= $2::bigint), 0)
order by start limit $3`;
