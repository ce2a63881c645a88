import { randomUUID } from 'node:crypto';
import type { Json } from '../../plan/text/json';
import { jsonText, parseJson } from '../../plan/text/json-text';
import type { ClaimedLog, FollowedLog, Ledger, RecordLog, RunKey } from '../ledger';
import type { Database } from './database';
import { LogRows, rowId } from './log-rows';
import { openRecordRows } from './record-rows';

/**
 * The ledger in tables. A record is one row, which is never replaced. A log's head says who its writer is, and lines of anyone else are
 * refused by the statement that would add them, so lines that do not count are never written.
 */
export class LedgerRows implements Ledger {
  constructor(private readonly database: Database) {}

  async get(run: RunKey, name: string): Promise<Json | undefined> {
    const [found] = await this.database.query<{ value: string }>(GET, [rowId(run, name)]);
    return found && parseJson(found.value);
  }

  async putIfAbsent(run: RunKey, name: string, value: Json): Promise<Json> {
    const values = [rowId(run, name), run.workflowId, run.run, name, jsonText(value)];
    const [kept] = await this.database.query<{ value: string; mine: boolean }>(PUT_IF_ABSENT, values);
    if (kept?.mine) return value;
    // A record that was put at the same moment is not yet visible to the statement that it stopped.
    return kept ? parseJson(kept.value) : ((await this.get(run, name)) ?? value);
  }

  async append(run: RunKey, log: string, ...lines: readonly Json[]): Promise<void> {
    if (lines.length > 0) await this.log(run, log).add(lines);
  }

  async note(run: RunKey, log: string, line: Json): Promise<void> {
    await this.log(run, log).add([line], { isRelaxed: true });
  }

  async claim(run: RunKey, name: string, scheduledAtMs?: number): Promise<ClaimedLog> {
    const writer = randomUUID();
    const log = this.log(run, name);
    const before = await log.claim(writer, scheduledAtMs);
    let isSynced = true;
    return {
      before,
      async append(...lines) {
        if (lines.length > 0) await log.add(lines, { writer });
        else await log.requireOwn(writer);
        isSynced = true;
      },
      async note(line) {
        isSynced = false;
        await log.add([line], { writer, isRelaxed: true });
      },
      async sync() {
        if (!isSynced) await log.sync();
        isSynced = true;
      },
      requireOwn: () => log.requireOwn(writer),
    };
  }

  async lines(run: RunKey, log: string): Promise<Json[]> {
    return (await this.log(run, log).read()).lines;
  }

  follow(run: RunKey, name: string): FollowedLog {
    const log = this.log(run, name);
    let read: Json[] = [];
    let last: Promise<unknown> = Promise.resolve();
    async function look(): Promise<readonly Json[]> {
      const { lines, length } = await log.read(read.length);
      if (length < read.length) read = (await log.read()).lines;
      else read.push(...lines);
      return read;
    }
    return {
      lines() {
        const looked = last.then(look);
        // The next look follows, whatever became of this one.
        last = looked.catch(() => undefined);
        return looked;
      },
    };
  }

  async recordLog(run: RunKey, name: string): Promise<RecordLog> {
    return await openRecordRows(this.log(run, name));
  }

  private log(run: RunKey, name: string): LogRows {
    return new LogRows(this.database, run, name);
  }
}

const GET = 'select value from thermidor.record where id = $1';

const PUT_IF_ABSENT = `
with run as (insert into thermidor.run (workflow_id, run) values ($2, $3) on conflict do nothing),
put as (
  insert into thermidor.record (id, workflow_id, run, name, value) values ($1, $2, $3, $4, $5) on conflict do nothing returning value
)
select value, true as mine from put union all select value, false as mine from thermidor.record where id = $1`;
