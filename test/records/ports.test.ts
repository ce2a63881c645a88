import { randomUUID } from 'node:crypto';
import { PostgresServer, postgresBinaries } from '../../bench/store/postgres-server';
import type { GateLink } from '../../plan/people/notice';
import { ARTIFACT_LIMIT_BYTES, type ControlKind, type ControlRef, isArtifactRef } from '../../plan/run/artifact';
import { ThermidorFailure } from '../../plan/run/failure';
import type { Json } from '../../plan/text/json';
import { jsonText, parseJson } from '../../plan/text/json-text';
import { ACCOUNT, accountLog } from '../../records/accounts/account-log';
import { readCosts } from '../../records/accounts/read-costs';
import { readPaid } from '../../records/accounts/read-paid';
import { COST_GROUPS, paidSums, rowsBy, sumOf } from '../../records/accounts/sum';
import type { EndedQuery } from '../../records/ended-index';
import type { SlotCall } from '../../records/fleet-slots';
import type { LastingGrant } from '../../records/lasting-grants';
import { memoryRecords } from '../../records/memory/memory-records';
import { openRecords, type StoreSettings } from '../../records/open-records';
import type { PostgresPlace } from '../../records/postgres/postgres-place';
import type { Records } from '../../records/records';
import type { EndMoment, ListedEnd } from '../../records/runs/listed-end';
import { KeyRing } from '../../records/sealing/key-ring';
import type { LogEntry, LogLine } from '../../records/step-logs';
import { asJson } from '../../records/stored-json';
import { codeOf, KEY, scratchFolder } from '../activities/workshop';
import { LossyNetwork } from '../support/lossy-network';
import { everyThirdAnswerLost, S3_KEYS, type S3Fate, S3Server } from '../support/s3-server';
import { until } from '../support/until';

const KEYS = new KeyRing({ k1: Buffer.alloc(32, 7) }, 'k1');

/** A store, and where a person finds an output by its name, any output, and a log. */
type Store = [string, () => Records | Promise<Records>, readonly unknown[]];

/** Rules for every kind of store. A new one gets a line here. */
const STORES: readonly Store[] = [
  [
    'a directory',
    () => openRecords({ stateDir: scratchFolder() }),
    [/\/One\.md$/, /\/[0-9a-f]{64}$/, /\.log$/].map((path) => expect.stringMatching(path)),
  ],
  [
    'a directory with its content in a bucket',
    async () => inBucket({ stateDir: scratchFolder() }),
    [undefined, undefined, expect.stringMatching(/\.log$/)],
  ],
  [
    'a directory with its content in a bucket of which every third answer is lost',
    async () => inBucket({ stateDir: scratchFolder() }, everyThirdAnswerLost),
    [undefined, undefined, expect.stringMatching(/\.log$/)],
  ],
  ['a directory that is sealed', () => openRecords({ stateDir: scratchFolder(), keys: KEYS }), [undefined, undefined, undefined]],
  [
    'a directory that is sealed, with its content in a bucket',
    async () => inBucket({ stateDir: scratchFolder(), keys: KEYS }),
    [undefined, undefined, undefined],
  ],
  ['memory', () => memoryRecords(), ['memory:run/a#1~1/One.md', undefined, undefined]],
  ...(postgresBinaries === undefined ? [] : databases()),
];

let server: PostgresServer | undefined;
let network: LossyNetwork | undefined;

function databases(): Store[] {
  const nowhere = [undefined, undefined, undefined];
  return [
    ['a database', async () => inDatabase(await newStore()), nowhere],
    ['a database that is sealed', async () => openRecords({ ...databaseOf(await newStore()), keys: KEYS }), nowhere],
    ['a database with its content in a bucket', async () => inBucket(databaseOf(await newStore())), nowhere],
    ['a database of which every third answer is lost', async () => inDatabase(await overLossyNetwork(await newStore())), nowhere],
  ];
}

async function newStore(): Promise<PostgresPlace> {
  server ??= await PostgresServer.start({ settings: ['fsync=off'] });
  return await server.store();
}

async function overLossyNetwork(place: PostgresPlace): Promise<PostgresPlace> {
  const url = new URL(place.url);
  network ??= await LossyNetwork.start(Number(url.port));
  url.port = String(network.port);
  return { ...place, url: url.href };
}

function inDatabase(postgres: PostgresPlace): Records {
  return openRecords(databaseOf(postgres));
}

function databaseOf(postgres: PostgresPlace): StoreSettings {
  return { stateDir: scratchFolder(), postgres, key: async () => Buffer.alloc(32, 1) };
}

/** Servers of buckets, each with answers that are lost in its own way. */
const bucketServers = new Map<unknown, Promise<S3Server>>();

async function inBucket(settings: StoreSettings, fateOf: (request: number) => S3Fate = () => 'fine'): Promise<Records> {
  Object.assign(process.env, S3_KEYS);
  const started = bucketServers.get(fateOf) ?? S3Server.start({ fateOf });
  bucketServers.set(fateOf, started);
  return openRecords({ ...settings, bucket: (await started).place() });
}

afterAll(async () => {
  for (const started of bucketServers.values()) await (await started).stop();
  for (const name of Object.keys(S3_KEYS)) delete process.env[name];
  await network?.stop();
  await server?.stop();
});

if (postgresBinaries === undefined) test.skip('a store that is a database: install PostgreSQL 13 or later', () => undefined);
const TEXT = { mediaType: 'text/plain', name: 'One.md' };

const at = (day: number): string => `2026-01-0${day}T00:00:00.000Z`;
/** The sooner a run has ended, the later it was started. */
function endOf(run: string, day: number, firstRun = 'first'): ListedEnd {
  const times = { startedAt: `2025-01-0${9 - day}T00:00:00.000Z`, endedAt: at(day) };
  return { run, firstRun, execution: `${firstRun} ${day}`, pipeline: 'p', state: 'completed', ...times };
}

function paidAt(run: string, day: number, model: string | undefined): Json {
  const usage = { inputTokens: day, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroUsd: model ? day * 100 : null };
  const names = { run, pipeline: 'p', step: `s${day}`, call: `x${day}#1~1`, agent: day > 2 ? 'critic' : 'writer', adapter: 'anthropic' };
  return { kind: 'paid', at: at(day), ...names, ...(model === undefined ? {} : { model }), usage };
}

describe.each(STORES)('a store that is %s', (_, open, places) => {
  test('gives back an output by its digest alone, and says which it has', async () => {
    const { artifacts } = await open();
    const ref = await artifacts.put('one', TEXT);
    expect(isArtifactRef(ref)).toBe(true);
    expect(await artifacts.put(Buffer.from('one'), TEXT)).toEqual(ref);
    expect((await artifacts.get({ sha256: ref.sha256 })).toString()).toBe('one');
    const other = { sha256: 'a'.repeat(64) };
    expect([await artifacts.has(ref), await artifacts.has(other), await codeOf(artifacts.get(other))]).toEqual([
      true,
      false,
      'artifact.missing',
    ]);
  });

  test('takes outputs of any size and any text up to its limit, under any name, and keeps them byte for byte', async () => {
    const { artifacts } = await open();
    const mib = 1024 * 1024;
    const odd = 'a\0b \ud800 \u{1f600}';
    for (const content of ['', odd, Buffer.from([0, 255, 10]), Buffer.alloc(mib, 'x'), Buffer.alloc(mib + 1, 'xyz')]) {
      const ref = await artifacts.put(content, { mediaType: odd, name: `${odd}/../${'n'.repeat(5000)}` });
      expect([ref.sizeBytes, ref.mediaType, ref.name?.length]).toEqual([Buffer.byteLength(content), odd, odd.length + 5004]);
      expect(Buffer.from(content).equals(await artifacts.get(ref))).toBe(true);
      expect(await artifacts.put(content, TEXT)).toMatchObject({ sha256: ref.sha256 });
    }
    const tooLarge = Buffer.alloc(ARTIFACT_LIMIT_BYTES + 1);
    for (const put of [artifacts.put(tooLarge, TEXT), artifacts.batch().put('x'.repeat(ARTIFACT_LIMIT_BYTES + 1), TEXT)]) {
      await expect(put).rejects.toMatchObject({
        code: 'output.too-large',
        message: expect.stringContaining('"One.md" has 67108865 bytes'),
      });
    }
  });

  test('finds nothing by what is not a digest', async () => {
    const { artifacts, control } = await open();
    for (const sha256 of ['', '../plan', 'A'.repeat(64), `${'a'.repeat(64)}\n`, '\0'.repeat(64)]) {
      expect([await codeOf(artifacts.get({ sha256 })), await codeOf(artifacts.has({ sha256 }))]).toEqual([
        'artifact.missing',
        'artifact.missing',
      ]);
      const ref: ControlRef = { kind: 'plan', sha256, sizeBytes: 0, mediaType: '' };
      expect(await codeOf(control.get(ref))).toBe('artifact.missing');
    }
  });

  test('takes the same output and others from many at once', async () => {
    const { artifacts } = await open();
    const contents = Array.from({ length: 200 }, (_, n) => `output ${n % 50 === 0 ? 'same' : n}`);
    const refs = await Promise.all(contents.map((content) => artifacts.put(content, TEXT)));
    const read = await Promise.all(refs.map((ref) => artifacts.get(ref)));
    expect(read.map(String)).toEqual(contents);
  });

  test('has everything that a batch has put', async () => {
    const { artifacts } = await open();
    const batch = artifacts.batch();
    const ref = await batch.put('one', TEXT);
    expect((await artifacts.get(ref)).toString()).toBe('one');
    await batch.sync();
    expect(await artifacts.has(ref)).toBe(true);
  });

  test('keeps kinds of control content apart from each other and from outputs', async () => {
    const { artifacts, control } = await open();
    const plan = await control.put('plan', '{}', 'p.json');
    const asScript: ControlRef<ControlKind> = { ...plan, kind: 'script' };
    expect((await control.get(plan)).toString()).toBe('{}');
    expect([await codeOf(control.get(asScript)), await artifacts.has({ sha256: plan.sha256 })]).toEqual(['artifact.missing', false]);
  });

  test('keeps the first record of a name, of several that come at once too', async () => {
    const { ledger } = await open();
    const put = await Promise.all([1, 2, 3].map((n) => ledger.putIfAbsent(KEY, 'a', n)));
    expect(new Set(put).size).toBe(1);
    expect([await ledger.get(KEY, 'a'), await ledger.get(KEY, 'b')]).toEqual([put[0], undefined]);
    expect(await ledger.get({ ...KEY, run: 'other' }, 'a')).toBeUndefined();
  });

  test('has the lines of a log in the order in which they were added, noted ones among them', async () => {
    const { ledger } = await open();
    await ledger.append(KEY, 'log', 0, 1);
    await ledger.note(KEY, 'log', 2);
    const mine = await ledger.claim(KEY, 'log');
    await mine.append({ n: 3 }, { n: 4 });
    await mine.note({ n: 5 });
    const all: Json[] = [0, 1, 2, { n: 3 }, { n: 4 }, { n: 5 }];
    expect([mine.before, await ledger.lines(KEY, 'log')]).toEqual([[0, 1, 2], all]);
    const next = await ledger.claim(KEY, 'log');
    await mine.sync();
    expect([next.before, await ledger.lines(KEY, 'other')]).toEqual([all, []]);
    for (const late of [mine.append({ n: 6 }), mine.note({ n: 6 }), mine.requireOwn()]) expect(await codeOf(late)).toBe('worker.lost');
    expect(await ledger.lines(KEY, 'log')).toEqual(all);
  });

  test('follows a log: each look has what was added meanwhile, by whomever, and nothing of a superseded writer', async () => {
    const { ledger } = await open();
    const log = ledger.follow(KEY, 'log');
    const first = [...(await log.lines())];
    await ledger.append(KEY, 'log', 1);
    const old = await ledger.claim(KEY, 'log');
    await old.append({ n: 2 });
    const [one, same] = await Promise.all([log.lines(), log.lines()]);
    expect([first, [...one], same === one]).toEqual([[], [1, { n: 2 }], true]);
    await (await ledger.claim(KEY, 'log')).append({ n: 3 });
    await expect(old.append({ n: 4 })).rejects.toThrow();
    expect(await log.lines()).toEqual([1, { n: 2 }, { n: 3 }]);
    expect(await log.lines()).toEqual(await ledger.lines(KEY, 'log'));
  });

  test('keeps numbers in its logs as they were written', async () => {
    const { ledger } = await open();
    const text = '{"value":{"price":1.10,"list":[1e3,1234567890123456789]},"n":2.50}';
    await ledger.append(KEY, 'log', parseJson(text));
    await (await ledger.claim(KEY, 'claimed')).append({ says: parseJson(text) });
    expect(jsonText(await ledger.lines(KEY, 'log'))).toBe(`[${text}]`);
    expect(jsonText(await ledger.lines(KEY, 'claimed'))).toBe(`[{"says":${text}}]`);
  });

  test('refuses a claim of an attempt that was scheduled before the one that has the log', async () => {
    const { ledger } = await open();
    await ledger.claim(KEY, 'log', 2);
    await expect(ledger.claim(KEY, 'log', 1)).rejects.toThrow(ThermidorFailure);
  });

  test('has a record of an effect for all once it is put, and says whether an effect was begun before', async () => {
    const { ledger } = await open();
    const one = await ledger.recordLog(KEY, 'effects');
    await one.claim(['a']);
    expect([await one.begin('a'), await one.putIfAbsent('a', 1), await one.putIfAbsent('a', 2)]).toEqual([false, 1, 1]);
    await one.close();
    const two = await ledger.recordLog(KEY, 'effects');
    await two.claim(['a', 'b']);
    expect([two.get('a'), await two.begin('a'), await two.begin('b')]).toEqual([1, true, false]);
    expect([two.begins('a'), two.begins('b'), two.begins('c')]).toEqual([
      [expect.any(Number), expect.any(Number)],
      [expect.any(Number)],
      [],
    ]);
    await two.close();
  });

  test('has a list of runs by the beginning of their ids, and all that one id had', async () => {
    const { ledger, runs } = await open();
    const keys = ['p-1', 'p-1.child', 'Q/2'].map((workflowId) => ({ workflowId, run: 'first' }));
    for (const key of [...keys, { workflowId: 'p-1', run: 'second' }]) await ledger.putIfAbsent(key, 'run', {});
    const idsOf = async (beginning?: string) => (await runs.list(beginning)).map(({ workflowId, run }) => `${workflowId} ${run}`).sort();
    expect(await idsOf()).toEqual(['Q/2 first', 'p-1 first', 'p-1 second', 'p-1.child first']);
    expect(await idsOf('p-1.')).toEqual(['p-1.child first']);
    expect((await runs.runsOf('p-1')).map(({ run }) => run).sort()).toEqual(['first', 'second']);
    expect([await runs.runsOf('nobody'), await (await open()).runs.list()]).toEqual([[], []]);
  });

  test('gives the lines that count of logs by the end of their names, shortened names among them', async () => {
    const { ledger, runs } = await open();
    const long = `${'deep/'.repeat(60)}a/account`;
    for (const log of ['a/account', long, 'a/transcript']) await ledger.append(KEY, log, log);
    const old = await ledger.claim(KEY, 'a/account');
    await ledger.claim(KEY, 'a/account');
    await expect(old.append({ late: true })).rejects.toThrow();
    const found: Json[] = [];
    for await (const lines of runs.logs(KEY, ['/account'])) found.push(...lines);
    expect(found.sort()).toEqual(['a/account', long].sort());
    for await (const lines of runs.logs(KEY, ['/account'], Date.now() + 60_000)) expect(lines).toBeUndefined();
  });

  test('says by a number whether something was added to logs', async () => {
    const { ledger, runs } = await open();
    const run = { ...KEY, run: 'extent' };
    expect(await runs.extent(run, ['/account'])).toBe(0);
    const seen = new Set<number>();
    for (const log of ['a/account', 'a/account', `${'x'.repeat(300)}/account`]) {
      await ledger.append(run, log, log);
      seen.add(await runs.extent(run, ['/account']));
    }
    await ledger.append(run, 'transcript', 'x');
    seen.add(await runs.extent(run, ['/account']));
    expect(seen.size).toBe(3);
  });

  test('lists runs that have ended, the last first, page by page, by pipeline, state, a part of their ids and their parents', async () => {
    const { ended } = await open();
    for (const [at, run] of ['a', 'b', 'c', 'd'].entries()) await ended.note(endOf(run, at + 1));
    await ended.note({ ...endOf('other', 1), pipeline: 'q', state: 'failed' });
    await ended.note({ ...endOf('a.child', 2), parent: 'a' });
    const list = async (query: Partial<EndedQuery>) => (await ended.list({ by: 'endedAt', ...query })).map(({ run }) => run);
    expect(await list({})).toEqual(['d', 'c', 'a.child', 'b', 'a', 'other']);
    expect(await list({ limit: 2 })).toEqual(['d', 'c']);
    expect(await list({ limit: 2, after: endOf('c', 3) })).toEqual(['a.child', 'b']);
    expect(await list({ after: endOf('a', 1) })).toEqual(['other']);
    expect([await list({ pipeline: 'q' }), await list({ state: 'failed' }), await list({ state: 'running' })]).toEqual([
      ['other'],
      ['other'],
      [],
    ]);
    expect([await list({ tops: true, contains: 'a' }), await list({ contains: 'il' })]).toEqual([['a'], ['a.child']]);
    expect(await list({ by: 'startedAt', pipeline: 'p', limit: 1 })).toEqual(['a']);
    expect(await ended.list({ by: 'endedAt', limit: 1, contains: 'child' })).toEqual([{ ...endOf('a.child', 2), parent: 'a' }]);
  });

  test('lists a run by its last end alone, and of two that had one id the newer', async () => {
    const { ended, ledger } = await open();
    const ends = [
      endOf('a', 1),
      { ...endOf('a', 3), state: 'failed' as const },
      { ...endOf('b', 1) },
      { ...endOf('b', 1, 'second'), startedAt: at(2) },
    ];
    for (const end of [...ends, endOf('c', 2)]) {
      await ended.note(end);
      await ended.note(end);
      await ledger.append({ workflowId: end.run, run: end.firstRun }, 'ended', asJson(end));
    }
    const list = async (after?: EndMoment) => await ended.list({ by: 'endedAt', ...(after ? { after } : {}) });
    expect(await list()).toEqual([ends[1], endOf('c', 2), ends[3]]);
    expect((await list(endOf('c', 2))).map(({ run }) => run)).toEqual(['b']);
  });

  test('adds up what ended runs cost, as long as nothing is added to their accounts', async () => {
    const records = await open();
    const { ended, ledger, runs } = records;
    const end = async (run: string, days: readonly number[]): Promise<void> => {
      const key = { workflowId: run, run: 'first' };
      for (const day of days) await ledger.append(key, accountLog(`x${day}`), paidAt(run, day, day % 2 === 0 ? 'gpt' : undefined));
      const paid = await readPaid(runs, [key]);
      const [first, last] = [paid[0]?.at ?? '', paid.at(-1)?.at ?? ''];
      const cost = { extent: await runs.extent(key, [ACCOUNT]), first, last, paid: paidSums(paid) };
      for (let noted = 0; noted < 2; noted += 1) await ended.note(endOf(run, 9), cost);
    };
    await end('a', [1, 2, 2, 3]);
    await end('b', [4]);
    await ledger.append({ workflowId: 'open', run: 'first' }, accountLog('x'), paidAt('open', 5, 'gpt'));
    const everything = await readPaid(runs, await runs.list());
    const agree = async (): Promise<void> => {
      for (const group of COST_GROUPS)
        expect(rowsBy(await readCosts(records, [group]), group)).toEqual(rowsBy(await readPaid(runs, await runs.list()), group));
      for (const since of everything.map((one) => Date.parse(one.at)).flatMap((ms) => [ms, ms + 1]))
        expect(sumOf(await readCosts(records, ['day'], since))).toEqual(sumOf(await readPaid(runs, await runs.list(), since)));
    };
    expect((await ended.costs(['day'])).left).toEqual([{ workflowId: 'open', run: 'first' }]);
    await agree();
    // As an agent does that works on after its run has ended.
    await ledger.append({ workflowId: 'b', run: 'first' }, accountLog('late'), paidAt('b', 6, undefined));
    expect((await ended.costs(['day'])).left.map(({ workflowId }) => workflowId).sort()).toEqual(['b', 'open']);
    await agree();
    expect(sumOf(await readCosts(records, ['agent'])).replies).toBe(everything.length + 1);
  });

  test('lays outputs out under their names, if it has places where a person may look', async () => {
    const { artifacts, outputs, logs } = await open();
    const [first, second] = [await artifacts.put('one', TEXT), await artifacts.put('two', TEXT)];
    const address = { path: [{ id: 'a' }], round: 1, try: 1 };
    await outputs.layOut(first, 'run', address);
    await outputs.layOut(second, 'run', { ...address, try: 2 });
    expect(await outputs.locate('run', { ...address, round: 2 }, 'One.md')).toBeUndefined();
    const writer = logs.open(KEY, 'a#1~1', { attempt: 1, trouble: () => undefined });
    writer.add([{ at: '2026-01-01T00:00:00.000Z', from: 'stdout', text: 'one' }]);
    await writer.close();
    expect([await outputs.locate('run', address, 'One.md'), await artifacts.locate(first), await logs.locate(KEY, 'a#1~1')]).toEqual(
      places,
    );
  });

  test('keeps what programs print, in order, from any position on', async () => {
    const { logs } = await open();
    const line = (text: string): LogLine => ({ at: '2026-01-01T00:00:00.000Z', from: 'stdout', text });
    const writer = logs.open(KEY, 'a#1~1', { attempt: 1, trouble: () => undefined });
    writer.add([line('one'), line('two')]);
    await writer.close();
    const read = async (from?: number): Promise<LogEntry[]> => {
      const found: LogEntry[] = [];
      // A store may add notes of its own.
      for await (const entry of logs.read(KEY, 'a#1~1', from)) if (entry.kind === 'line' && entry.from !== 'note') found.push(entry);
      return found;
    };
    const [one, two] = await read();
    expect([one, two]).toMatchObject([line('one'), line('two')]);
    expect(await read(one?.next)).toEqual([two]);
    expect([await logs.list(KEY), await logs.list({ ...KEY, run: 'other' })]).toEqual([['a#1~1'], []]);
  });

  test('continues a log with the lines of the next attempt, whatever they have, under any name', async () => {
    const { logs } = await open();
    const odd = 'a\0b \t\r \u{1f600} ünï';
    const names = ['a#1~1', `${'each[3]/'.repeat(300)}Lint#2~3`, `a ${odd}/../"\\`];
    const texts = ['', odd, ' x ', '-- note', 'x'.repeat(100_000), '2026-01-01T00:00:00.000Z out| two'];
    for (const name of names) {
      const read: LogEntry[] = [];
      for (const attempt of [1, 2]) {
        const writer = logs.open(KEY, name, { attempt, trouble: (reason) => expect(reason).toBeUndefined() });
        for (const text of texts)
          writer.add([{ at: '2026-01-01T00:00:00.000Z', from: 'stderr', text: `${attempt} ${text}`, goesOn: true }]);
        writer.leftOut(7);
        await writer.close();
        for await (const entry of logs.read(KEY, name, read.at(-1)?.next)) read.push(entry);
      }
      const printed = read.flatMap((entry) => (entry.kind === 'line' && entry.from === 'stderr' && entry.goesOn ? [entry.text] : []));
      expect(printed).toEqual([1, 2].flatMap((attempt) => texts.map((text) => `${attempt} ${text}`)));
      expect(read.filter((entry) => (entry.kind === 'gap' ? entry.bytes === 7 : entry.text.startsWith('7 bytes left out')))).toHaveLength(
        2,
      );
      for (const [at, { next }] of read.entries()) {
        const rest: LogEntry[] = [];
        for await (const entry of logs.read(KEY, name, next)) rest.push(entry);
        expect(rest).toEqual(read.slice(at + 1));
      }
    }
    expect((await logs.list(KEY)).sort()).toEqual(names.sort());
  });

  test('has the lines of a lost attempt and of the next, if both still print, each in its order', async () => {
    const { logs } = await open();
    const writers = [1, 2].map((attempt) => logs.open(KEY, 'a#1~1', { attempt, trouble: () => undefined }));
    for (let n = 0; n < 100; n += 1) {
      for (const [by, writer] of writers.entries()) writer.add([{ at: '2026-01-01T00:00:00.000Z', from: 'stdout', text: `${by} ${n}` }]);
      if (n % 10 === 0) await new Promise(setImmediate);
    }
    await Promise.all(writers.map((writer) => writer.close()));
    const texts: string[] = [];
    for await (const entry of logs.read(KEY, 'a#1~1')) if (entry.kind === 'line' && entry.from === 'stdout') texts.push(entry.text);
    for (const by of [0, 1]) {
      expect(texts.filter((text) => text.startsWith(`${by} `))).toEqual(Array.from({ length: 100 }, (_, n) => `${by} ${n}`));
    }
    expect(texts).toHaveLength(200);
  });

  test('keeps the environment of a run’s caller, which children inherit, until it is removed', async () => {
    const { environments } = await open();
    await environments.write('p-1', { env: { TOKEN: 'x', NONE: undefined }, cwd: '/somewhere' });
    await environments.inherit('p-1.child', 'p-1');
    await environments.inherit('p-1.child', 'nobody');
    const caller = { env: { TOKEN: 'x' }, cwd: '/somewhere' };
    expect([await environments.callerOf('p-1'), await environments.callerOf('p-1.child')]).toEqual([caller, caller]);
    // Neither is a child of it.
    const others = ['p-10', 'p-1-again', 'p'];
    for (const id of others) await environments.inherit(id, 'p-1');
    await environments.remove('p-1');
    for (const id of ['p-1', 'p-1.child']) expect((await environments.callerOf(id)).env['TOKEN']).toBeUndefined();
    for (const id of others) expect(await environments.callerOf(id)).toEqual(caller);
    // A child's own is not replaced by its parent's.
    await environments.write('p-10.child', { env: { TOKEN: 'own' } });
    await environments.inherit('p-10.child', 'p-10');
    expect(await environments.callerOf('p-10.child')).toEqual({ env: { TOKEN: 'own' } });
  });

  test('finds a gate by its key, the last that was put', async () => {
    const { links } = await open();
    const link: GateLink = { ...GATE, run: 'run-1', channel: '#desk' };
    await links.put('a-key', { ...link, question: 'Before?' });
    await links.put('a-key', link);
    expect([await links.find('a-key'), await links.find('b-key'), await links.find('../a-key')]).toEqual([link, undefined, undefined]);
  });

  test('gives slots to so many calls, in the order in which they came', async () => {
    const { slots } = await open();
    const call = (n: number): SlotCall => ({ workflowId: `p-${n}`, run: 'first', step: 'work#1~1' });
    const take = async (n: number) => (await slots.take('demo', call(n), 2)).taken;
    // The directory's queue is ordered by milliseconds.
    const took: boolean[] = [];
    for (const n of [1, 2, 3, 4]) {
      took.push(await take(n));
      const atMs = Date.now();
      await until(() => Date.now() > atMs);
    }
    expect([took, await take(1)]).toEqual([[true, true, false, false], true]);
    await slots.keep('demo', call(1));
    expect(await slots.give('demo', call(1), 2)).toEqual([call(3)]);
    expect([await take(4), await take(3)]).toEqual([false, true]);
  });

  test('gives no more slots than there are to calls that come at once, for each pipeline its own', async () => {
    const { slots } = await open();
    const call = (n: number): SlotCall => ({ workflowId: `p-${n}`, run: 'first', step: 'work#1~1' });
    const calls = Array.from({ length: 8 }, (_, n) => call(n));
    const took = await Promise.all(calls.map((one) => slots.take('demo', one, 3)));
    const waiting = calls.filter((_, n) => !took[n]?.taken);
    expect([waiting.length, (await slots.take('other', call(9), 1)).taken]).toEqual([5, true]);
    // A sign of life takes nothing.
    for (const one of waiting) await slots.keep('demo', one);
    const [holder] = calls.filter((_, n) => took[n]?.taken);
    if (!holder) throw new Error('nobody has a slot');
    const woken = await slots.give('demo', holder, 3);
    expect([woken.length, await slots.give('demo', holder, 3)]).toEqual([1, []]);
    expect(waiting).toEqual(expect.arrayContaining(woken));
    const again = await Promise.all(waiting.map((one) => slots.take('demo', one, 3)));
    expect(waiting.filter((_, n) => again[n]?.taken)).toEqual(woken);
  });

  test('frees no slot and no place in line of the living', async () => {
    const { slots } = await open();
    const call = (n: number): SlotCall => ({ workflowId: `p-${n}`, run: 'first', step: 'work#1~1' });
    await slots.sweep();
    const took: boolean[] = [];
    for (const n of [1, 2, 3]) took.push((await slots.take('demo', call(n), 1)).taken);
    await slots.sweep();
    expect([took, (await slots.take('demo', call(4), 1)).taken]).toEqual([[true, false, false], false]);
    const [next] = await slots.give('demo', call(1), 1);
    await slots.sweep();
    // The one that was woken has its place until it comes.
    expect((await slots.take('demo', call(4), 1)).taken).toBe(false);
    expect((await slots.take('demo', next ?? call(4), 1)).taken).toBe(true);
  });

  test('keeps what is granted to a project until it is revoked, each answer once, of several that come at once too', async () => {
    const { grants } = await open();
    const one: LastingGrant = {
      id: 'r/1/a/grant-1',
      project: 'acme',
      categories: ['git_push', 'deploy'],
      at: '2026-01-01T00:00:00Z',
      run: 'r',
    };
    await Promise.all([grants.add(one), grants.add(one), grants.add(one)]);
    await grants.add({ ...one, id: 'r/1/a/grant-2', project: 'Acme', categories: ['mcp_tool:s:t'], by: 'ann' });
    expect([await grants.inForce('acme'), await grants.inForce('Acme'), await grants.inForce('none')]).toEqual([
      ['git_push', 'deploy'],
      ['mcp_tool:s:t'],
      [],
    ]);
    expect(await grants.list()).toHaveLength(3);
    expect((await grants.list('Acme'))[0]).toEqual({
      ...{ id: 'r/1/a/grant-2', project: 'Acme', category: 'mcp_tool:s:t' },
      ...{ at: '2026-01-01T00:00:00Z', run: 'r', by: 'ann' },
    });
    await grants.revoke({ project: 'acme', category: 'git_push', at: '2026-01-02T00:00:00Z', by: 'bob' });
    await grants.revoke({ project: 'Acme', category: 'mcp_tool:*', at: '2026-01-02T00:00:00Z' });
    await grants.add(one);
    expect([await grants.inForce('acme'), await grants.inForce('Acme')]).toEqual([['deploy'], []]);
    await grants.add({ ...one, id: 'r/1/a/grant-3', categories: ['git_push'] });
    expect(await grants.inForce('acme')).toEqual(['deploy', 'git_push']);
    const odd = `../a\0 ${'é'.repeat(2000)}`;
    await grants.add({ ...one, id: 'r/1/a/grant-4', project: odd, categories: ['deploy'] });
    expect([await grants.inForce(odd), await grants.inForce(`${odd}é`)]).toEqual([['deploy'], []]);
    expect((await grants.list()).map(({ project }) => project)).toEqual([odd, 'acme', 'acme']);
  });

  test('knows which hosts have workers, and no more once the last has stopped', async () => {
    const presence = (await open()).presence(() => undefined);
    const [one, two] = [await presence.announce('a'), await presence.announce('a')];
    await one();
    expect([await presence.isAlive('a'), await presence.isAlive('b')]).toEqual([true, false]);
    // Stopped twice is stopped once.
    await one();
    expect(await presence.isAlive('a')).toBe(true);
    await two();
    expect(await presence.isAlive('a')).toBe(false);
  });

  test('has what workers say of themselves with their last sign of life, until they stop', async () => {
    const records = await open();
    const presence = records.presence(() => undefined);
    expect(await presence.workers()).toEqual([]);
    let used = 0;
    const odd = `é~"@b`;
    const says = async () => ({ identity: odd, slots: { used: ++used, free: 9 } });
    const announcing = records.presence(() => undefined, { deadAfterMs: 1000, everyMs: 10 });
    const stops = [await announcing.announce('a'), await announcing.announce('a', says)];
    await until(async () => ((await presence.workers())[0]?.slots?.used ?? 0) > 1);
    const [worker, ...others] = await presence.workers();
    expect(others).toEqual([]);
    expect(worker).toEqual({
      ...{ identity: odd, slots: { used: expect.any(Number), free: 9 } },
      ...{ saidAtMs: expect.any(Number), ageMs: expect.any(Number) },
    });
    for (const stop of stops) await stop();
    expect(await presence.workers()).toEqual([]);
  });

  test('knows which hosts are drained, who said so first and since when, until that is taken back', async () => {
    const { drained } = await open();
    expect([await drained.list(), await drained.undrain('a')]).toEqual([[], false]);
    await drained.drain('b', 'ann');
    await drained.drain('A.b_c-1', 'bob');
    await drained.drain('b', 'eve');
    const since = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect(await drained.list()).toEqual([
      { host: 'A.b_c-1', by: 'bob', since },
      { host: 'b', by: 'ann', since },
    ]);
    expect([await drained.undrain('A.b_c-1'), await drained.undrain('a')]).toEqual([true, false]);
    expect((await drained.list()).map(({ host }) => host)).toEqual(['b']);
  });

  test('leaves work that was handed over to workers that began later', async () => {
    const records = await open();
    const [older, leaving] = [await records.handovers(), await records.handovers()];
    await leaving.stopping();
    await leaving.handOver([]);
    await leaving.handOver(['a']);
    // A store's clock may move in steps: a worker that begins in the same step counts as older.
    await until(async () => !(await (await records.handovers()).isForYounger('a')));
    expect([await older.isForYounger('a'), await older.isForYounger('b')]).toEqual([true, false]);
  });

  test('has one key and one installation, however many ask at once, and knows itself', async () => {
    const { key, identity } = await open();
    expect(await identity.knownInstallation()).toBeUndefined();
    const [keys, ids] = [await Promise.all([key(), key(), key()]), await Promise.all([identity.installation(), identity.installation()])];
    expect([new Set(keys.map((one) => one.toString('hex'))).size, keys[0]?.length, new Set(ids).size]).toEqual([1, 32, 1]);
    expect(await identity.knownInstallation()).toBe(ids[0]);
    const own = await identity.storeId();
    expect([await identity.storeId(), await identity.isGone(own), await identity.isGone('/no/such/store')]).toEqual([own, false, true]);
    expect(() => identity.check()).not.toThrow();
    const other = await (await open()).identity.storeId();
    expect([other === own, await identity.isGone(other)]).toEqual([false, false]);
    // A database that nobody here knows may be away, and its runs still need what they have on this host.
    expect(await identity.isGone(`postgres:${randomUUID()}`)).toBe(false);
  });

  test('takes refused answers, and says when they are written', async () => {
    const refused = (await open()).refusedAnswers(() => undefined);
    refused.add({ at: '2026-01-01T00:00:00.000Z', status: 403, reason: 'no', way: 'link', from: 'a' });
    await expect(refused.written()).resolves.toBeUndefined();
  });
});

const GATE = {
  step: 'sure',
  kind: 'approval',
  question: 'Ship?',
  choices: ['approve', 'reject'],
  shownSha256: 'a'.repeat(64),
} as const satisfies Partial<GateLink>;
