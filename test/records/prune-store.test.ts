import { statSync, utimesSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PostgresServer, postgresBinaries } from '../../bench/store/postgres-server';
import type { ArtifactRef, ControlRef } from '../../plan/run/artifact';
import type { Json } from '../../plan/text/json';
import type { RunKey } from '../../records/ledger';
import { openRecords } from '../../records/open-records';
import { Database } from '../../records/postgres/database';
import { type PruneOrder, PruneRefused, type PruneReport, pruneStore } from '../../records/pruning/prune-store';
import type { RunsOnServer } from '../../records/pruning/runs-on-server';
import type { Records } from '../../records/records';
import { ENDED_LOG } from '../../records/runs/ended-run';
import { RUN_RECORD } from '../../records/runs/run-record';
import { KeyRing } from '../../records/sealing/key-ring';
import { asJson } from '../../records/stored-json';
import { scratchFolder } from '../activities/workshop';
import { sweepCount, sweepsAll } from '../support/sweep';

const DAY_MS = 24 * 60 * 60 * 1000;
const LIMITS = { runsMs: 30 * DAY_MS, artifactsMs: 30 * DAY_MS, logsMs: 10 * DAY_MS };
/** For a thousand rounds on a busy machine. */
const LONG_MS = sweepCount(60_000, 3_600_000);
const JSON_TYPE = { mediaType: 'application/json', name: 'One.json' };

/** A store whose whole content can be made older. */
interface Aged {
  records: Records;
  age(days: number): Promise<void>;
  close(): Promise<void>;
}

let server: PostgresServer | undefined;
afterAll(() => server?.stop());

const KEYS = new KeyRing({ k1: Buffer.alloc(32, 7) }, 'k1');
const FOLDERS: readonly (readonly [string, () => Promise<Aged>])[] = [
  ['a directory', async () => agedFolder()],
  ['a directory that is sealed', async () => agedFolder(KEYS)],
];
const DATABASES: typeof FOLDERS = [
  ['a database', () => agedDatabase()],
  ...(sweepsAll() ? [['a database that is sealed', () => agedDatabase(KEYS)] as const] : []),
];

function agedFolder(keys?: KeyRing): Aged {
  const stateDir = scratchFolder();
  return {
    records: openRecords({ stateDir, ...(keys ? { keys } : {}) }),
    async age(days) {
      for (const entry of await readdir(stateDir, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || entry.name === '.id') continue;
        const path = join(entry.parentPath, entry.name);
        const then = (statSync(path).mtimeMs - days * DAY_MS) / 1000;
        utimesSync(path, then, then);
      }
    },
    close: async () => undefined,
  };
}

async function agedDatabase(keys?: KeyRing): Promise<Aged> {
  server ??= await PostgresServer.start({ settings: ['fsync=off'] });
  const postgres = await server.store();
  const database = new Database(postgres);
  const columns = [
    ...[
      ['run', 'began_at'],
      ['log', 'added_at'],
      ['record', 'added_at'],
      ['content', 'put_at'],
    ],
    ...[
      ['step_log', 'added_at'],
      ['environment', 'written_at'],
      ['gate_link', 'put_at'],
    ],
  ];
  return {
    records: openRecords({ stateDir: scratchFolder(), postgres, key: async () => Buffer.alloc(32, 1), ...(keys ? { keys } : {}) }),
    async age(days) {
      for (const [table, column] of columns)
        await database.query(`update thermidor.${table} set ${column} = ${column} - $1::int * interval '1 day'`, [days]);
    },
    close: () => database.close(),
  };
}

/** A server with these open runs, each with what it says of itself. */
function serverWith(open: ReadonlyMap<string, { key: RunKey; says?: Json; startedMs?: number }> = new Map()): RunsOnServer {
  return {
    isOpen: async ({ workflowId, run }) => open.get(workflowId)?.key.run === run,
    async *open() {
      for (const { key, startedMs = 0 } of open.values()) yield { ...key, startedMs };
    },
    says: async ({ workflowId }) => open.get(workflowId)?.says,
    clockMs: async () => Date.now(),
  };
}

async function prune({ records }: Aged, on = serverWith(), order: Partial<PruneOrder> = {}): Promise<PruneReport> {
  return await pruneStore(records, on, { limits: LIMITS, dryRun: false, signal: new AbortController().signal, ...order });
}

const keyOf = (workflowId: string): RunKey => ({ workflowId, run: `first of ${workflowId}` });

/** A run that was opened, has an output, and a line in a log. */
async function openedRun({ artifacts, control, ledger, logs }: Records, id: string, more: object = {}) {
  const key = keyOf(id);
  const prompt = await artifacts.put(`the prompt of ${id}`, { mediaType: 'text/plain' });
  const plan = await control.put('plan', JSON.stringify({ name: id, prompt: prompt.sha256 }), `${id}.plan.json`);
  await ledger.putIfAbsent(key, RUN_RECORD, asJson({ plan, args: {}, version: 1, startedAt: '2026-01-01T00:00:00.000Z', ...more }));
  const output = await artifacts.put(JSON.stringify({ of: id }), JSON_TYPE);
  await ledger.putIfAbsent(key, 'hello#1~1', asJson({ output }));
  const log = logs.open(key, 'hello#1~1', { attempt: 1, trouble: () => undefined });
  log.add([{ at: '2026-01-01T00:00:00.000Z', from: 'stdout', text: `line of ${id}` }]);
  await log.close();
  return { key, prompt, plan, output };
}

/** Its journal is known to its record alone. */
async function endedRun(records: Records, id: string, more: object = {}) {
  const run = await openedRun(records, id, more);
  const page = await records.artifacts.put(JSON.stringify([{ seq: 1, of: id }]), {
    mediaType: 'application/json',
    name: 'journal-1-1.json',
  });
  const content = await records.artifacts.put(JSON.stringify({ pages: [page] }), { mediaType: 'application/json', name: 'ended.json' });
  const times = { startedAt: '2026-01-01T00:00:00.000Z', endedAt: '2026-01-01T01:00:00.000Z' };
  const shown = { run: id, execution: run.key.run, pipeline: 'p', state: 'completed' as const, ...times };
  await records.ended.note({ ...shown, firstRun: run.key.run });
  await records.ledger.append(run.key, ENDED_LOG, asJson({ ...shown, plan: run.plan, content }));
  return { ...run, page, content };
}

async function isThere({ artifacts, control }: Records, ...refs: readonly (ArtifactRef | ControlRef)[]): Promise<boolean[]> {
  const found = refs.map(async (ref) =>
    ref.kind === undefined
      ? await artifacts.has(ref)
      : await control.get(ref).then(
          () => true,
          () => false,
        ),
  );
  return await Promise.all(found);
}

describe.each([...FOLDERS, ...(postgresBinaries === undefined ? [] : DATABASES)])('a prune of %s', (_, open) => {
  let store: Aged;
  beforeEach(async () => {
    store = await open();
  });
  afterEach(() => store.close());

  test('removes all of an old run, and nothing of one that has ended since', async () => {
    const { records } = store;
    const old = await endedRun(records, 'old');
    await store.age(31);
    const young = await endedRun(records, 'young');
    const report = await prune(store);
    expect([report.runs.count, report.logs.count, report.content.count]).toEqual([1, 1, 5]);
    expect(await isThere(records, old.output, old.plan, old.prompt, old.page, old.content)).toEqual([false, false, false, false, false]);
    expect(await isThere(records, young.output, young.plan, young.prompt, young.page, young.content)).toEqual(Array(5).fill(true));
    expect((await records.ended.list({ by: 'endedAt' })).map(({ run }) => run)).toEqual(['young']);
    expect([await records.runs.runsOf('old'), await records.ledger.get(old.key, RUN_RECORD), await records.logs.list(old.key)]).toEqual([
      [],
      undefined,
      [],
    ]);
    expect(await records.logs.list(young.key)).toEqual(['hello#1~1']);
    expect((await prune(store)).runs.count).toBe(0);
  });

  test('keeps an old run that is open again or whose child is, with all that they lead to', async () => {
    const { records } = store;
    const reset = await endedRun(records, 'reset');
    const parent = await endedRun(records, 'parent');
    const child = await openedRun(records, 'parent.child', { parent: { workflowId: 'parent', run: parent.key.run, step: 'a' } });
    const known = await records.artifacts.put('"only the state of the child names it"', JSON_TYPE);
    await store.age(90);
    const on = serverWith(
      new Map([
        ['reset', { key: reset.key, says: {} }],
        ['parent.child', { key: child.key, says: asJson({ state: { known } }) }],
      ]),
    );
    const report = await prune(store, on);
    expect([report.runs.count, report.content.count, report.silent]).toEqual([0, 0, []]);
    expect(await isThere(records, reset.page, parent.content, child.prompt, known)).toEqual(Array(4).fill(true));
    expect(await records.logs.list(child.key)).toEqual(['hello#1~1']);
  });

  test('keeps the logs of an ended child whose parent is open', async () => {
    const { records } = store;
    const parent = await openedRun(records, 'parent');
    const { key } = await endedRun(records, 'parent.child', { parent: { workflowId: 'parent', run: parent.key.run, step: 'a' } });
    await store.age(11);
    await prune(store, serverWith(new Map([['parent', { key: parent.key, says: {} }]])));
    expect(await records.logs.list(key)).toEqual(['hello#1~1']);
  });

  test('removes nothing that was put since an open run began that does not answer', async () => {
    const { records } = store;
    const before = await records.artifacts.put('before', JSON_TYPE);
    await store.age(10);
    const silent = await openedRun(records, 'silent');
    const since = await records.artifacts.put('since', JSON_TYPE);
    await store.age(80);
    const report = await prune(store, serverWith(new Map([['silent', { key: silent.key }]])));
    expect([report.silent, await isThere(records, before, since, silent.output)]).toEqual([[silent.key], [false, true, true]]);
  });

  test('keeps what a young run has taken over, begun or not', async () => {
    const { records } = store;
    const [taken, other] = [await records.artifacts.put('taken', JSON_TYPE), await records.artifacts.put('other', JSON_TYPE)];
    const carried = await records.control.put('carry', JSON.stringify({ output: taken }), 'carried.json');
    await store.age(90);
    await openedRun(records, 'late', { carried });
    const notBegun = await records.control.put('carry', JSON.stringify({ output: other }), 'carried.json');
    await prune(store);
    expect(await isThere(records, taken, other, carried, notBegun)).toEqual(Array(4).fill(true));
  });

  test('removes the logs of a run before the run, and says so in its ledger', async () => {
    const { records } = store;
    const { key, content } = await endedRun(records, 'quiet');
    await store.age(11);
    const report = await prune(store);
    expect([report.logs.count, report.runs.count, await records.logs.list(key)]).toEqual([1, 0, []]);
    expect([await records.ledger.get(key, 'logs-removed'), await isThere(records, content)]).toEqual([true, [true]]);
  });

  test('counts in a dry run what it would remove, and removes nothing', async () => {
    const { records } = store;
    const run = await endedRun(records, 'old');
    await store.age(31);
    const asked = await prune(store, serverWith(), { dryRun: true });
    expect([await isThere(records, run.output, run.plan), await records.logs.list(run.key)]).toEqual([[true, true], ['hello#1~1']]);
    const done = await prune(store);
    expect(asked).toEqual(done);
    expect(Math.min(done.runs.bytes, done.logs.bytes, done.content.bytes)).toBeGreaterThan(0);
  });

  test('keeps the newest run of a team, which has its board', async () => {
    await endedRun(store.records, 'team-quants');
    await store.age(400);
    expect((await prune(store)).runs.count).toBe(0);
  });

  test('removes nothing while clocks disagree', async () => {
    await endedRun(store.records, 'old');
    await store.age(31);
    const ahead = { ...serverWith(), clockMs: async () => Date.now() - 365 * DAY_MS };
    await expect(prune(store, ahead)).rejects.toThrow(PruneRefused);
    await expect(prune(store, serverWith(), { ownMs: () => Date.now() - DAY_MS })).rejects.toThrow(PruneRefused);
    expect((await store.records.ended.list({ by: 'endedAt' })).length).toBe(1);
  });

  test('removes nothing if the server does not answer', async () => {
    await endedRun(store.records, 'old');
    await store.age(31);
    const away = { ...serverWith(), isOpen: async () => Promise.reject(new Error('away')) };
    await expect(prune(store, away)).rejects.toThrow('away');
    expect(await store.records.runs.runsOf('old')).toHaveLength(1);
  });

  test(
    'loses nothing that is put again while it is removed, and two at once are harmless',
    async () => {
      const { records } = store;
      for (let round = 1; round <= sweepCount(3, 1000); round += 1) {
        const texts = Array.from(
          { length: 4 },
          (_one, n) => `round ${round}, content ${n} ${n === 3 ? 'x'.repeat(round % 10 === 1 ? 1_100_000 : 1) : ''}`,
        );
        for (const text of texts) await records.artifacts.put(text, JSON_TYPE);
        await store.age(31);
        const again = texts.map(async (text, n) => {
          for (let turns = (round * 7 + n * 3) % 23; turns > 0; turns -= 1) await new Promise((resolve) => setImmediate(resolve));
          const ref = await records.artifacts.put(text, JSON_TYPE);
          expect((await records.artifacts.get(ref)).toString()).toBe(text);
          return ref;
        });
        const removal = async (): Promise<void> => {
          const beforeMs = Date.now() - 30 * DAY_MS;
          for await (const page of records.oldContent.before(beforeMs)) await records.oldContent.remove(page, beforeMs, false);
        };
        const [, , , ...refs] = await Promise.all([removal(), removal(), round % 10 === 2 ? prune(store) : removal(), ...again]);
        expect(await isThere(records, ...refs)).toEqual([true, true, true, true]);
      }
    },
    LONG_MS,
  );
});
