import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PostgresServer, postgresBinaries } from '../../bench/store/postgres-server';
import type { GateLink } from '../../plan/people/notice';
import type { Json } from '../../plan/text/json';
import { jsonText, parseJson } from '../../plan/text/json-text';
import { ACCOUNT, accountLog } from '../../records/accounts/account-log';
import { readCosts } from '../../records/accounts/read-costs';
import { readPaid } from '../../records/accounts/read-paid';
import { paidSums, sumOf } from '../../records/accounts/sum';
import { folderTransfer } from '../../records/directory/transfer/folder-transfer';
import { writeStepLog } from '../../records/directory/transfer/step-log-files';
import type { RunKey } from '../../records/ledger';
import { openRecords } from '../../records/open-records';
import type { PostgresPlace } from '../../records/postgres/postgres-place';
import { databaseTransfer } from '../../records/postgres/transfer/database-transfer';
import type { Records } from '../../records/records';
import { transferWithBucket } from '../../records/s3/bucket-transfer';
import { asJson } from '../../records/stored-json';
import { CopyRefused, copyStore } from '../../records/transfer/copy-store';
import { partDigest, partId, type StepLogPart, type StorePart } from '../../records/transfer/store-part';
import type { StoreTransfer } from '../../records/transfer/store-transfer';
import { codeOf, KEY, scratchFolder } from '../activities/workshop';
import { testOnPostgres } from '../support/on-postgres';
import { S3_KEYS, S3Server } from '../support/s3-server';

interface Place {
  records: Records;
  transfer: StoreTransfer;
}

let server: PostgresServer | undefined;
let bucketServer: S3Server | undefined;
const opened: StoreTransfer[] = [];

afterAll(async () => {
  for (const one of opened) await one.close();
  await server?.stop();
  await bucketServer?.stop();
  for (const name of Object.keys(S3_KEYS)) delete process.env[name];
});
beforeAll(() => void Object.assign(process.env, S3_KEYS));

function inFolder(stateDir = join(scratchFolder(), 'state')): Place {
  return { records: openRecords({ stateDir }), transfer: folderTransfer(stateDir) };
}

/** A folder whose content is in a bucket. */
async function withBucket(): Promise<Place> {
  bucketServer ??= await S3Server.start();
  const bucket = bucketServer.place();
  const { transfer } = inFolder();
  const together = transferWithBucket(transfer, bucket);
  opened.push(together);
  return { records: openRecords({ stateDir: transfer.shown, bucket }), transfer: together };
}

let schemas = 0;
async function inDatabase(): Promise<Place> {
  server ??= await PostgresServer.start({ settings: ['fsync=off'] });
  schemas += 1;
  const postgres: PostgresPlace = server.place(`copy_${schemas}`);
  const transfer = databaseTransfer(postgres);
  opened.push(transfer);
  return { records: openRecords({ stateDir: scratchFolder(), postgres, key: async () => Buffer.alloc(32, 1) }), transfer };
}

const LONG = { workflowId: `Long${'Review'.repeat(60)}`, run: 'r' };
const LINK: GateLink = {
  ...{ run: 'r', channel: '#desk', step: 'a', question: 'Ship?', shownSha256: '', kind: 'approval', choices: [] },
};
const NUMBERS = parseJson('{"price":1.10,"list":[1e3,1234567890123456789]}');

/** Something in every port. */
async function fill(records: Records): Promise<void> {
  const { artifacts, control, ledger, logs, environments, links, grants, identity } = records;
  await identity.installation();
  await artifacts.put('one', { mediaType: 'text/plain' });
  await artifacts.put(Buffer.alloc(1024 * 1024 + 1, 'xyz'), { mediaType: '' });
  await control.put('plan', '{}', 'p');
  await ledger.putIfAbsent(KEY, 'a', NUMBERS);
  await ledger.putIfAbsent(LONG, `b${'Step'.repeat(90)}`, 'long');
  await ledger.append(KEY, 'plain', NUMBERS, 2);
  const old = await ledger.claim(KEY, 'claimed', 1);
  await old.append({ n: 1 });
  const mine = await ledger.claim(KEY, 'claimed', 5);
  await mine.append({ n: 2 }, { says: NUMBERS });
  await old.append({ n: 'late' }).catch(() => undefined);
  await ledger.claim(KEY, 'only claimed', 7);
  const effects = await ledger.recordLog(KEY, 'effects');
  await effects.claim(['x'], 3);
  await effects.begin('x');
  await effects.putIfAbsent('x', 1);
  await effects.close();
  const log = logs.open(LONG, `Call${'x'.repeat(200)}`, { attempt: 1, trouble: () => undefined });
  log.add([{ at: '2026-01-01T00:00:00.000Z', from: 'stdout', text: 'printed \u{1f600}' }]);
  await log.close();
  await environments.write(LONG.workflowId, { env: { TOKEN: 'hush' }, cwd: '/x' });
  await links.put('a-key', LINK);
  const grant = { project: 'Acme/x', categories: ['deploy'] as const, at: '2026-01-01T00:00:00Z', run: 'r' };
  await grants.add({ ...grant, id: '1' });
  await grants.revoke({ project: 'Acme/x', category: 'deploy', at: '2026-01-02T00:00:00Z' });
  await grants.add({ ...grant, id: '2' });
  const refused = records.refusedAnswers(() => undefined);
  for (const from of ['a', 'a', 'b']) refused.add({ at: '2026-01-01T00:00:00.000Z', status: 403, reason: 'no', way: 'link', from });
  await refused.written();
  const times = { startedAt: '2026-01-01T00:00:00.000Z', endedAt: '2026-01-02T00:00:00.000Z' };
  const end = {
    run: KEY.workflowId,
    firstRun: KEY.run,
    execution: 'x',
    pipeline: 'p',
    state: 'completed' as const,
    ...times,
    owner: 'ann',
  };
  await records.ended.note({ ...end, run: LONG.workflowId, firstRun: LONG.run });
  const { runs } = records;
  for (const key of [KEY, GROWN]) {
    await pay(ledger, key);
    const extent = await runs.extent(key, [ACCOUNT]);
    const [first, last, paid] = [times.startedAt, times.startedAt, paidSums(await readPaid(runs, [key]))];
    await records.ended.note({ ...end, run: key.workflowId, firstRun: key.run }, { extent, first, last, paid });
  }
  await pay(ledger, GROWN);
}

/** A run that an agent still works for after its end. */
const GROWN = { workflowId: 'grown', run: 'r' };

async function pay(ledger: Records['ledger'], { workflowId: run, ...key }: RunKey): Promise<void> {
  const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroUsd: 5 };
  const names = { run, pipeline: 'p', step: 's', call: 's', agent: 'a', adapter: 'a' };
  await ledger.append(
    { workflowId: run, ...key },
    accountLog('s'),
    asJson({ kind: 'paid', at: '2026-01-01T00:00:00.000Z', ...names, usage }),
  );
}

/** What workers and commands see of all that. */
async function seen({ ledger, logs, environments, links, grants, runs, ended, identity }: Records): Promise<unknown> {
  const printed: Json[] = [];
  const [name = ''] = await logs.list(LONG);
  for await (const entry of logs.read(LONG, name)) printed.push(jsonText(entry as unknown as Json));
  const effects = await ledger.recordLog(KEY, 'effects');
  const record = [effects.get('x') ?? null, effects.begins('x').length];
  await effects.close();
  return {
    ...{ printed, name, record },
    installation: await identity.knownInstallation(),
    records: jsonText([(await ledger.get(KEY, 'a')) ?? null, (await ledger.get(LONG, `b${'Step'.repeat(90)}`)) ?? null]),
    lines: jsonText([await ledger.lines(KEY, 'plain'), await ledger.lines(KEY, 'claimed'), await ledger.lines(KEY, 'only claimed')]),
    caller: await environments.callerOf(LONG.workflowId),
    link: await links.find('a-key'),
    grants: await grants.list(),
    runs: (await runs.list()).map(({ run }) => run).sort(),
    ended: await ended.list({ by: 'endedAt' }),
    unsummed: (await ended.costs(['day'])).left,
    cost: sumOf(await readCosts({ ended, runs }, ['day'])),
  };
}

async function digests(store: StoreTransfer): Promise<string[]> {
  const found: string[] = [];
  for await (const part of store.parts()) found.push(`${partId(part)} ${partDigest(part)}`);
  return found.sort();
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

async function filled(): Promise<Place> {
  const place = inFolder();
  await fill(place.records);
  return place;
}

const copied = (from: Place, to: Place) => copyStore({ from: from.transfer, to: to.transfer });

testOnPostgres(
  'an installation moves from a folder to a database, to another, back to a folder, and is the same for all readers',
  async () => {
    const first = await filled();
    const places = [first, await inDatabase(), await inDatabase(), inFolder(), inFolder()];
    const [was, parts] = [await seen(first.records), await digests(first.transfer)];
    for (const [at, to] of places.slice(1).entries()) {
      const from = places[at] ?? first;
      const report = await copied(from, to);
      expect(Object.values(report.parts).reduce((sum, { copied }) => sum + copied, 0)).toBe(parts.length);
      expect([await seen(to.records), await digests(to.transfer)]).toEqual([was, parts]);
      const { ledger } = to.records;
      expect(await codeOf(ledger.claim(KEY, 'claimed', 4))).toBe('worker.lost');
      expect(await codeOf(ledger.claim(KEY, 'only claimed', 6))).toBe('worker.lost');
    }
    // The new store works on: a later attempt claims, and lines follow those that were there.
    for (const { records } of places) {
      const next = await records.ledger.claim(KEY, 'claimed', 9);
      await next.append({ n: 3 });
      expect((await records.ledger.lines(KEY, 'claimed')).at(-1)).toEqual({ n: 3 });
    }
  },
);

test('content moves to a bucket, and from there back to a folder, and no other store has it meanwhile', async () => {
  const [from, bucket, back] = [await filled(), await withBucket(), inFolder()];
  const was = await digests(from.transfer);
  await copied(from, bucket);
  const plain = folderTransfer(bucket.transfer.shown.split(' ')[0] ?? '');
  expect((await digests(plain)).filter((part) => part.startsWith('["content"'))).toEqual([]);
  expect((await bucket.records.artifacts.get({ sha256: sha256('one') })).toString()).toBe('one');
  await copied(bucket, back);
  expect([await digests(bucket.transfer), await digests(back.transfer), await seen(back.records)]).toEqual([
    was,
    was,
    await seen(from.records),
  ]);
});

test('the key of a folder moves to a folder', async () => {
  const [from, to] = [await filled(), inFolder()];
  const key = await from.records.key();
  await copied(from, to);
  expect(await to.records.key()).toEqual(key);
});

/** As a process that is killed after so many parts. */
function killedAfter(store: StoreTransfer, parts: number): StoreTransfer {
  let left = parts;
  return {
    ...store,
    shown: store.shown,
    async add(part: StorePart) {
      left -= 1;
      if (left < 0) throw new Error('killed');
      await store.add(part);
    },
  };
}

const TARGETS: [string, () => Place | Promise<Place>][] = [
  ['a folder', () => inFolder()],
  ['a folder with a bucket', withBucket],
  ...(postgresBinaries === undefined ? [] : [['a database', inDatabase] as [string, () => Promise<Place>]]),
];

test.each(TARGETS)('a copy to %s that was killed after any part is finished by the next, and one more changes nothing', async (_, open) => {
  const from = await filled();
  const parts = await digests(from.transfer);
  for (let kept = 0; kept < parts.length; kept += 4) {
    const to = await open();
    await expect(copyStore({ from: from.transfer, to: killedAfter(to.transfer, kept) })).rejects.toThrow('killed');
    const there = (await digests(to.transfer)).length;
    const dry = await copyStore({ from: from.transfer, to: to.transfer, dryRun: true });
    const report = await copied(from, to);
    expect(report).toEqual(dry);
    expect(Object.values(report.parts).reduce((sum, one) => sum + one.there, 0)).toBe(there);
    expect(await digests(to.transfer)).toEqual(parts);
    const again = await copied(from, to);
    expect(Object.values(again.parts).every(({ copied }) => copied === 0)).toBe(true);
  }
});

describe('a copy is refused', () => {
  const refusal = async (from: Place, to: Place): Promise<string> =>
    await copied(from, to).then(
      () => 'copied',
      (error: unknown) => (error instanceof CopyRefused ? error.message : String((error as Error).message)),
    );

  test('if the other store has another installation, or has been used since', async () => {
    const [from, to, other] = [await filled(), inFolder(), inFolder()];
    await other.records.identity.installation();
    expect(await refusal(from, other)).toMatch(/belongs to another installation/);
    expect(await digests(other.transfer)).toEqual([]);
    await copied(from, to);
    await to.records.ledger.append(KEY, 'plain', 3);
    expect(await refusal(from, to)).toMatch(/other content by now.*log demo-20261121-abc123 first-run plain/);
    const later = inFolder();
    await copied(from, later);
    await later.records.artifacts.put('new', { mediaType: '' });
    expect(await refusal(from, later)).toMatch(/1 of its \d+ parts/);
  });

  test('if workers use one of the two, or both are the same', async () => {
    const from = await filled();
    const stop = await from.records.presence(() => undefined).announce('here');
    expect(await refusal(from, inFolder())).toMatch(/workers use .*: here/);
    await stop();
    expect(await refusal(from, from)).toMatch(/the same store/);
    expect(await refusal(from, inFolder())).toBe('copied');
  });

  test('if nothing is there to be copied, or other files are in its way', async () => {
    const to = scratchFolder();
    writeFileSync(join(to, 'thermidor.yaml'), '');
    const empty = inFolder();
    mkdirSync(join(empty.transfer.shown, 'ledger'), { recursive: true });
    expect(await refusal(inFolder(), inFolder())).toMatch(/no state folder/);
    expect(await refusal(empty, inFolder())).toMatch(/there is nothing in/);
    expect(await refusal(await filled(), inFolder(to))).toMatch(/other files, such as thermidor\.yaml/);
  });

  test('if what it reads is damaged: an output, a record', async () => {
    const from = await filled();
    const record = join(from.transfer.shown, 'ledger', KEY.workflowId, KEY.run, 'a.json');
    writeFileSync(record, '{');
    expect(await refusal(from, inFolder())).toBe(`${record} is no record; restore it, or move it away`);
  });

  testOnPostgres('of a database without tables', async () => {
    expect(await refusal(await inDatabase(), inFolder())).toMatch(/has no tables/);
  });

  test('if a copy reads otherwise than it was written', async () => {
    const [from, to] = [await filled(), inFolder()];
    const forgetful: StoreTransfer = { ...to.transfer, add: async (part) => (part.kind === 'link' ? undefined : to.transfer.add(part)) };
    await expect(copyStore({ from: from.transfer, to: forgetful })).rejects.toThrow(/lacks 1 parts/);
  });
});

testOnPostgres('a log of a step keeps its positions and its gap, whatever it is cut into', async () => {
  const line = (n: number) => `2026-01-01T00:00:00.000Z out| ${String(n).padStart(99, '0')}\n`;
  const bytes = (from: number, to: number) => Buffer.from(Array.from({ length: to - from }, (_, n) => line(from + n)).join(''));
  const [head, tail] = [bytes(0, 4000), bytes(9000, 12_000)];
  const pieces = [
    { start: 0, bytes: head },
    { start: 9000 * line(0).length, bytes: tail },
  ];
  const part: StepLogPart = { kind: 'step-log', run: KEY, name: 'call', pieces, addedAtMs: Date.parse('2026-01-02T00:00:00Z') };
  const from = await filled();
  const folder = join(from.transfer.shown, 'logs', 'runs');
  await writeStepLog(part, join(folder, KEY.workflowId, KEY.run, 'call.log'), join(folder, 'scratch'));
  const [database, back] = [await inDatabase(), inFolder()];
  await copied(from, database);
  await copied(database, back);
  const read = async ({ records }: Place) => {
    const entries = [];
    for await (const entry of records.logs.read(KEY, 'call')) entries.push(entry);
    return entries;
  };
  const was = await read(from);
  expect([was.length, was[4000]]).toEqual([7001, { kind: 'gap', bytes: 5000 * line(0).length, next: 9000 * line(0).length }]);
  expect(await read(database)).toEqual(was);
  expect(await read(back)).toEqual(was);
});
