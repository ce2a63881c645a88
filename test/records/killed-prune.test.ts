import { mkdirSync, renameSync, statSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PostgresServer } from '../../bench/store/postgres-server';
import { openRecords } from '../../records/open-records';
import { Database } from '../../records/postgres/database';
import { RunRetentionRows } from '../../records/postgres/run-retention-rows';
import type { Records } from '../../records/records';
import { ENDED_LOG } from '../../records/runs/ended-run';
import { RUN_RECORD } from '../../records/runs/run-record';
import { scratchFolder } from '../activities/workshop';
import { describeOnPostgres } from '../support/on-postgres';

/** What a prune leaves that is killed between two of its effects. */
const DAY_MS = 24 * 60 * 60 * 1000;
const KEY = { workflowId: 'run-a', run: 'first' };
const TEXT = { mediaType: 'text/plain' };

async function endedRun({ ledger, ended }: Records): Promise<void> {
  const times = { startedAt: '2026-01-01T00:00:00.000Z', endedAt: '2026-01-01T01:00:00.000Z' };
  await ledger.putIfAbsent(KEY, RUN_RECORD, { startedAt: times.startedAt });
  await ledger.append(KEY, 'transcript', { said: 'a' }, { said: 'b' });
  await ended.note({ run: KEY.workflowId, firstRun: KEY.run, execution: KEY.run, pipeline: 'p', state: 'completed', ...times });
  await ledger.append(KEY, ENDED_LOG, { run: KEY.workflowId, ...times });
}

describeOnPostgres('a prune of a database that is killed', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start({ settings: ['fsync=off'] });
  });
  afterAll(() => server.stop());

  test('after its first statement the run is gone for everybody, and the next one removes the rest', async () => {
    const postgres = await server.store();
    const database = new Database(postgres);
    const records = openRecords({ stateDir: scratchFolder(), postgres, key: async () => Buffer.alloc(32, 1) });
    await endedRun(records);
    let statements = 0;
    const killed = new RunRetentionRows({
      query: async (sql, values) => {
        statements += 1;
        if (statements > 1) throw new Error('killed');
        return await database.query(sql, values);
      },
    });
    const beforeMs = Date.now() + DAY_MS;
    await expect(killed.remove([KEY], beforeMs, false)).rejects.toThrow('killed');
    const rows = async (): Promise<number> => (await database.query('select from thermidor.line')).length;
    expect([await records.runs.list(), await records.runs.runsOf(KEY.workflowId), await records.ended.list({ by: 'endedAt' })]).toEqual([
      [],
      [],
      [],
    ]);
    expect([await rows(), await records.retention.isOlder(KEY, beforeMs)]).toEqual([2, false]);
    await records.retention.finish(beforeMs);
    expect([await rows(), (await database.query('select from thermidor.run')).length]).toEqual([0, 0]);
    await database.close();
  });
});

describe('a prune of a folder that is killed', () => {
  const [PUT_ASIDE, YOUNG] = [-40 * DAY_MS, 0];
  test.each([
    ['old: it can be read and put again, and the next one removes it', PUT_ASIDE, 1],
    ['young: it can be read and put again, and stays', YOUNG, 0],
  ])('leaves a file aside that is %s', async (_, ageMs, removed) => {
    const stateDir = scratchFolder();
    const { artifacts, oldContent } = openRecords({ stateDir });
    const ref = await artifacts.put('content', TEXT);
    const path = (await artifacts.locate(ref)) ?? '';
    const aside = join(stateDir, 'artifacts', 'aside', ref.sha256);
    mkdirSync(dirname(aside), { recursive: true });
    const then = (statSync(path).mtimeMs + ageMs) / 1000;
    utimesSync(path, then, then);
    renameSync(path, aside);
    expect([(await artifacts.get(ref)).toString(), await artifacts.has(ref)]).toEqual(['content', true]);
    const beforeMs = Date.now() - 30 * DAY_MS;
    expect((await oldContent.remove([{ kind: 'output', sha256: ref.sha256 }], beforeMs, false)).count).toBe(removed);
    expect(await artifacts.has(ref)).toBe(removed === 0);
    await artifacts.put('content', TEXT);
    expect((await artifacts.get(ref)).toString()).toBe('content');
  });

  test('leaves a ledger that was taken away, which the next one deletes, and lists without the run', async () => {
    const stateDir = scratchFolder();
    const { ended, retention, runs } = openRecords({ stateDir });
    await endedRun(openRecords({ stateDir }));
    const removed = join(stateDir, 'ledger', '.removed', 'some');
    mkdirSync(dirname(removed), { recursive: true });
    renameSync(join(stateDir, 'ledger', 'run-a', 'first'), removed);
    expect([await runs.runsOf(KEY.workflowId), (await ended.list({ by: 'endedAt' })).length]).toEqual([[], 1]);
    await retention.finish(Date.now());
    expect([await ended.list({ by: 'endedAt' }), statSync(removed, { throwIfNoEntry: false })]).toEqual([[], undefined]);
  });
});
