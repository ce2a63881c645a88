import { parseJson } from '../../plan/text/json-text';
import type { RunKey } from '../ledger';
import { type Amount, NOTHING, plus } from '../old-content';
import { type EndedBefore, type LedgerEntry, noAmounts, type RunAmounts, type RunRetention } from '../run-retention';
import { ENDED_LOG } from '../runs/ended-run';
import { RUN_RECORD } from '../runs/run-record';
import type { Database } from './database';
import { rowId } from './log-rows';
import {
  AMOUNTS,
  COUNT_LEDGER,
  COUNT_LOGS,
  ENDED,
  FORGET,
  IS_OLDER,
  LEAVE,
  LEFT,
  LINES,
  LOGS,
  MOST_MS,
  NOW,
  RECORDS,
  REMOVE_LINES,
  REMOVE_LOGS,
  REMOVE_OF_IDS,
  REMOVE_PIECES,
  REMOVE_RECORDS,
  REMOVE_STEP_LOGS,
  RUNS,
  SLICE,
} from './run-retention-sql';

/**
 * Removal of runs from tables. The first statement takes away all by which a run is found, and judges its age in the same moment; the rest,
 * which may be much, goes in slices, and the row of the run goes last.
 */
export class RunRetentionRows implements RunRetention {
  constructor(private readonly database: Pick<Database, 'query'>) {}

  async nowMs(): Promise<number> {
    return (await this.database.query<{ now: number }>(NOW))[0]?.now ?? 0;
  }

  async *endedBefore(beforeMs: number): AsyncGenerator<EndedBefore[]> {
    yield* this.pages<EndedBefore>(ENDED, [beforeMs]);
  }

  async isOlder({ workflowId, run }: RunKey, beforeMs: number): Promise<boolean> {
    return (await this.database.query(IS_OLDER, [beforeMs, workflowId, run])).length > 0;
  }

  async *runs(): AsyncGenerator<(RunKey & { beganMs: number })[]> {
    yield* this.pages<RunKey & { beganMs: number }>(RUNS, []);
  }

  async *entries({ workflowId, run }: RunKey): AsyncGenerator<LedgerEntry> {
    for (let last: Buffer | undefined = Buffer.alloc(0); last; ) {
      const rows: RecordRow[] = await this.database.query<RecordRow>(RECORDS, [workflowId, run, last]);
      for (const { name, value } of rows) yield { name, kind: 'record', values: [parseJson(value)] };
      last = rows.at(-1)?.id;
    }
    for (const { id, name } of await this.database.query<{ id: Buffer; name: string }>(LOGS, [workflowId, run])) {
      for (let last: number | undefined = -1; last !== undefined; ) {
        const rows: LineRow[] = await this.database.query<LineRow>(LINES, [id, last]);
        if (rows.length > 0) yield { name, kind: 'log', values: rows.map(({ line }) => parseJson(line)) };
        last = rows.at(-1)?.number;
      }
    }
  }

  async remove(runs: readonly RunKey[], beforeMs: number, dryRun: boolean): Promise<RunAmounts> {
    const removed = noAmounts();
    if (runs.length === 0) return removed;
    if (dryRun) return await this.count(runs, beforeMs);
    const ids = [RUN_RECORD, ENDED_LOG].map((name) => runs.map((run) => rowId(run, name).toString('hex')));
    const [records = [], logs = []] = ids;
    const gone = await this.database.query<RunKey & { bytes: number }>(FORGET, [...columns(runs), beforeMs, records, logs]);
    const bytes = gone.reduce((sum, one) => sum + one.bytes, 0);
    removed.runs = { count: gone.length, bytes: bytes + (await this.inSlices(gone, [REMOVE_LINES, REMOVE_LOGS, REMOVE_RECORDS])).bytes };
    removed.logs = await this.removeLogs(gone, false);
    await this.leave(gone, beforeMs, removed);
    return removed;
  }

  async removeLogs(runs: readonly RunKey[], dryRun: boolean): Promise<Amount> {
    if (runs.length === 0) return NOTHING;
    if (dryRun) return (await this.database.query<Amount>(COUNT_LOGS, columns(runs)))[0] ?? NOTHING;
    const { bytes } = await this.inSlices(runs, [REMOVE_PIECES]);
    return { count: (await this.inSlices(runs, [REMOVE_STEP_LOGS])).count, bytes };
  }

  async finish(): Promise<void> {
    for (;;) {
      const left = await this.database.query<RunKey>(LEFT);
      if (left.length === 0) return;
      await this.inSlices(left, [REMOVE_LINES, REMOVE_LOGS, REMOVE_RECORDS, REMOVE_PIECES, REMOVE_STEP_LOGS]);
      await this.leave(left, Number.MAX_SAFE_INTEGER, noAmounts());
    }
  }

  async amounts(): Promise<RunAmounts> {
    const amounts = noAmounts();
    for (const { part, count, bytes } of await this.database.query<Amount & { part: keyof RunAmounts }>(AMOUNTS))
      amounts[part] = { count, bytes };
    return amounts;
  }

  /** Removes the rows of runs of which nothing else is left, and what is of their workflow ids alone. */
  private async leave(runs: readonly RunKey[], beforeMs: number, removed: RunAmounts): Promise<void> {
    if (runs.length === 0) return;
    await this.database.query(LEAVE, columns(runs));
    const ids = [...new Set(runs.map(({ workflowId }) => workflowId))];
    const [found] = await this.database.query<OfIds>(REMOVE_OF_IDS, [ids, Math.min(beforeMs, MOST_MS)]);
    removed.environments = { count: found?.environments ?? 0, bytes: found?.environmentBytes ?? 0 };
    removed.links = { count: found?.links ?? 0, bytes: found?.linkBytes ?? 0 };
  }

  private async count(runs: readonly RunKey[], beforeMs: number): Promise<RunAmounts> {
    const older: RunKey[] = [];
    for (const run of runs) if (await this.isOlder(run, beforeMs)) older.push(run);
    const [ledger] = await this.database.query<Amount>(COUNT_LEDGER, columns(older));
    return { ...noAmounts(), runs: { count: older.length, bytes: ledger?.bytes ?? 0 }, logs: await this.removeLogs(older, true) };
  }

  private async inSlices(runs: readonly RunKey[], statements: readonly string[]): Promise<Amount> {
    let all = NOTHING;
    for (const sql of runs.length === 0 ? [] : statements) {
      for (let slice: Amount | undefined; (slice?.count ?? SLICE) >= SLICE; ) {
        [slice = NOTHING] = await this.database.query<Amount>(sql, columns(runs));
        all = plus(all, slice);
      }
    }
    return all;
  }

  private async *pages<Row extends RunKey>(sql: string, values: readonly number[]): AsyncGenerator<Row[]> {
    for (let last: RunKey | undefined = { workflowId: '', run: '' }; last; ) {
      const page: Row[] = await this.database.query<Row>(sql, [...values, last.workflowId, last.run]);
      if (page.length > 0) yield page;
      last = page.at(-1);
    }
  }
}

interface RecordRow {
  id: Buffer;
  name: string;
  value: string;
}
interface LineRow {
  number: number;
  line: string;
}
interface OfIds {
  environments: number;
  environmentBytes: number;
  links: number;
  linkBytes: number;
}

function columns(runs: readonly RunKey[]): [string[], string[]] {
  return [runs.map(({ workflowId }) => workflowId), runs.map(({ run }) => run)];
}
