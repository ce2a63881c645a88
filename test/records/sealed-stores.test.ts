import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PostgresServer, postgresBinaries } from '../../bench/store/postgres-server';
import type { GateLink } from '../../plan/people/notice';
import { ARTIFACT_LIMIT_BYTES } from '../../plan/run/artifact';
import { folderTransfer } from '../../records/directory/transfer/folder-transfer';
import { openRecords } from '../../records/open-records';
import type { PostgresPlace } from '../../records/postgres/postgres-place';
import { databaseTransfer } from '../../records/postgres/transfer/database-transfer';
import type { Records } from '../../records/records';
import { ENDED_LOG } from '../../records/runs/ended-run';
import { KeyRing } from '../../records/sealing/key-ring';
import { resealStore } from '../../records/transfer/reseal-store';
import type { StoreTransfer } from '../../records/transfer/store-transfer';
import { codeOf, failureOf, KEY, scratchFolder } from '../activities/workshop';

/** What lies in a store with keys, and what becomes of it when keys change. */
const [one, two] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const K1 = new KeyRing({ k1: one }, 'k1');
const ROTATED = new KeyRing({ k1: one, k2: two }, 'k2');
const K2 = new KeyRing({ k2: two }, 'k2');

const WORD = 'zebrafish';
const LINK: GateLink = {
  run: 'w',
  channel: '#c',
  step: 's',
  question: WORD,
  shownSha256: 'a'.repeat(64),
  kind: 'approval',
  choices: [WORD],
};

async function fill(records: Records): Promise<void> {
  await records.artifacts.put(`an output with ${WORD}`, { mediaType: 'text/plain' });
  const batch = records.artifacts.batch();
  await batch.put(`another with ${WORD}`, { mediaType: 'text/plain' });
  await batch.sync();
  await records.artifacts.put(`${WORD} `.repeat(200_000), { mediaType: 'text/plain' });
  await records.control.put('plan', JSON.stringify({ prompt: WORD }), 'p');
  const { ledger } = records;
  await ledger.putIfAbsent(KEY, 'a record', { said: WORD });
  await ledger.append(KEY, 'a log', { said: WORD }, WORD);
  await ledger.append(KEY, ENDED_LOG, { endedAt: '2026-01-01T00:00:00Z', startedAt: '2026-01-01T00:00:00Z', error: WORD });
  await ledger.note(KEY, 'a log', { noted: WORD });
  const claimed = await ledger.claim(KEY, 'a transcript');
  await claimed.append({ turn: WORD });
  await claimed.note({ turn: WORD });
  const log = await ledger.recordLog(KEY, 'commands');
  await log.putIfAbsent('x', { result: WORD });
  await log.close();
  const writer = records.logs.open(KEY, 's#1~1', { attempt: 1, trouble: (why) => fail(why) });
  writer.add([{ at: '2026-01-01T00:00:00.000Z', from: 'stdout', text: WORD }]);
  await writer.close();
  await records.environments.write('w', { env: { TOKEN: WORD }, cwd: `/${WORD}` });
  await records.environments.inherit('w.child', 'w');
  await records.links.put('key', LINK);
}

async function read(records: Records): Promise<unknown> {
  const { ledger } = records;
  const entries: unknown[] = [];
  const lines: unknown[] = [];
  for await (const entry of records.logs.read(KEY, 's#1~1')) if (entry.kind === 'line' && entry.from !== 'note') entries.push(entry.text);
  for await (const some of records.runs.logs(KEY, ['log'])) lines.push(...some);
  const log = await ledger.recordLog(KEY, 'commands');
  const found = [
    await ledger.get(KEY, 'a record'),
    await ledger.lines(KEY, 'a log'),
    lines,
    await ledger.follow(KEY, 'a transcript').lines(),
    log.get('x'),
    entries,
    await records.environments.callerOf('w.child'),
    await records.links.find('key'),
  ];
  await log.close();
  return found;
}

const LINES = [{ said: WORD }, WORD, { noted: WORD }];
const ALL = [
  { said: WORD },
  LINES,
  LINES,
  [{ turn: WORD }, { turn: WORD }],
  { result: WORD },
  [WORD],
  { env: { TOKEN: WORD }, cwd: `/${WORD}` },
  LINK,
];

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

const showing = (folder: string): string[] => filesBelow(folder).filter((path) => readFileSync(path).includes(WORD));

let server: PostgresServer | undefined;
afterAll(async () => server?.stop());

interface Place {
  open(keys?: KeyRing): Records;
  transfer(keys: KeyRing): StoreTransfer;
  /** Each place that shows the word. */
  showing(): Promise<string[]>;
}

async function folder(): Promise<Place> {
  const stateDir = scratchFolder();
  return {
    open: (keys = new KeyRing()) => openRecords({ stateDir, keys }),
    transfer: (keys) => folderTransfer(stateDir, keys),
    showing: async () => showing(stateDir),
  };
}

async function database(): Promise<Place> {
  server ??= await PostgresServer.start({ settings: ['fsync=off'] });
  const postgres: PostgresPlace = await server.store();
  const { Client } = await import('pg');
  const look = async (): Promise<string[]> => {
    const client = new Client({ connectionString: postgres.url });
    await client.connect();
    try {
      const { rows } = await client.query<{ name: string }>(
        'select table_name as name from information_schema.tables where table_schema = $1',
        [postgres.schema],
      );
      const found: string[] = [];
      for (const { name } of rows) {
        const texts = await client.query<{ row: string }>(`select row_to_json(t)::text as row from ${postgres.schema}.${name} as t`);
        const hex = Buffer.from(WORD).toString('hex');
        if (texts.rows.some(({ row }) => row.includes(WORD) || row.includes(hex))) found.push(name);
      }
      return found;
    } finally {
      await client.end();
    }
  };
  const key = async (): Promise<Buffer> => Buffer.alloc(32, 9);
  return {
    open: (keys = new KeyRing()) => openRecords({ stateDir: '/nowhere', postgres, key, keys }),
    transfer: (keys) => databaseTransfer(postgres, keys),
    showing: look,
  };
}

const PLACES: [string, () => Promise<Place>][] = [
  ['a folder', folder],
  ...(postgresBinaries === undefined ? [] : [database].map((one) => ['a database', one] as [string, typeof database])),
];

describe.each(PLACES)('%s', (_, make) => {
  test('shows nothing of what is put into it, and gives all of it back', async () => {
    const place = await make();
    await fill(place.open(K1));
    expect(await place.showing()).toEqual([]);
    expect(await read(place.open(K1))).toEqual(ALL);
  });

  test('shows what it shows without keys, and keys change nothing of that', async () => {
    const place = await make();
    await fill(place.open());
    expect((await place.showing()).length).toBeGreaterThan(5);
    expect(await read(place.open(K1))).toEqual(ALL);
  });

  test('is read with any key of the ring, and written with one', async () => {
    const place = await make();
    await fill(place.open(K1));
    const rotated = place.open(ROTATED);
    expect(await read(rotated)).toEqual(ALL);
    await rotated.ledger.append(KEY, 'a new log', { said: WORD });
    expect(await place.open(K2).ledger.lines(KEY, 'a new log')).toEqual([{ said: WORD }]);
    expect(await codeOf(place.open(K1).ledger.lines(KEY, 'a new log'))).toBe('encryption.key-missing');
  });

  test('names the key that is missing', async () => {
    const place = await make();
    const before = place.open(K1);
    await fill(before);
    const output = await before.artifacts.put('an output', { mediaType: 'text/plain' });
    for (const { artifacts, ledger, environments, links, logs } of [place.open(K2), place.open()]) {
      for (const read of [
        artifacts.get(output),
        ledger.get(KEY, 'a record'),
        ledger.lines(KEY, 'a log'),
        ledger.claim(KEY, 'a log'),
        ledger.follow(KEY, 'a log').lines(),
        environments.callerOf('w'),
        links.find('key'),
      ]) {
        const { code, message } = await failureOf(read);
        expect([code, message]).toEqual(['encryption.key-missing', expect.stringContaining('the key "k1"')]);
      }
      const said: string[] = [];
      for await (const entry of logs.read(KEY, 's#1~1')) if (entry.kind === 'line') said.push(entry.text);
      expect(said.at(-1)).toContain('sealed with the key "k1"');
    }
  });

  test('seals content that is put again, and content that nobody has sealed is read', async () => {
    const place = await make();
    const text = `${WORD} `.repeat(200_000);
    const [plain, long] = [
      await place.open().artifacts.put(WORD, { mediaType: 'a/b' }),
      await place.open().artifacts.put(text, { mediaType: 'a/b' }),
    ];
    const { artifacts } = place.open(K1);
    expect((await artifacts.get(plain)).toString()).toBe(WORD);
    expect(await artifacts.put(WORD, { mediaType: 'a/b' })).toEqual(plain);
    expect(await artifacts.put(text, { mediaType: 'a/b' })).toEqual(long);
    expect(await place.showing()).toEqual([]);
    expect(await Promise.all([plain, long].map(async (ref) => (await artifacts.get(ref)).toString()))).toEqual([WORD, text]);
  });

  test('is sealed anew with the key that seals now, and then needs no other', async () => {
    const place = await make();
    await fill(place.open(K1));
    const output = await place.open(K1).artifacts.put('an output', { mediaType: 'text/plain' });
    const lacking = place.transfer(K2);
    await expect(resealStore(lacking, K2)).rejects.toMatchObject({ code: 'encryption.key-missing' });
    const transfer = place.transfer(ROTATED);
    const first = await resealStore(transfer, ROTATED);
    expect(first).toMatchObject({ content: 5, record: 1, log: 4, 'step-log': 1, environment: 2, link: 1, grants: 0, refused: 0, end: 0 });
    expect(await read(place.open(K2))).toEqual(ALL);
    expect((await place.open(K2).artifacts.get(output)).toString()).toBe('an output');
    expect(await place.showing()).toEqual([]);
    expect(await resealStore(transfer, ROTATED)).toMatchObject({ record: 0, log: 0, 'step-log': 0, environment: 0, link: 0 });
    const writer = place.open(K2).logs.open(KEY, 's#1~1', { attempt: 2, trouble: (why) => fail(why) });
    writer.add([{ at: '2026-01-02T00:00:00.000Z', from: 'stdout', text: 'more' }]);
    await writer.close();
    expect(((await read(place.open(K2))) as unknown[])[5]).toEqual([WORD, 'more']);
    await Promise.all([lacking.close(), transfer.close()]);
  });

  test('takes as much of an output as fits once it is sealed', async () => {
    const { artifacts } = (await make()).open(K1);
    expect(await codeOf(artifacts.put(Buffer.alloc(ARTIFACT_LIMIT_BYTES), { mediaType: 'a/b' }))).toBe('output.too-large');
  });
});

test('content that begins like a sealed one, and is none, is content', async () => {
  const { open } = await folder();
  const text = `thermidor-sealed ${K1.use}\nno seal`;
  const ref = await open().artifacts.put(text, { mediaType: 'a/b' });
  for (const keys of [K1, K2, new KeyRing()]) expect((await open(keys).artifacts.get(ref)).toString()).toBe(text);
});

test('a sealed output that is damaged, or lies in the place of another, is not believed', async () => {
  const stateDir = scratchFolder();
  const { artifacts } = openRecords({ stateDir, keys: K1 });
  const refs = await Promise.all(['one', 'two'].map((text) => artifacts.put(text, { mediaType: 'a/b' })));
  const [first, second] = refs.map(({ sha256 }) => filesBelow(stateDir).find((path) => path.endsWith(sha256)) ?? '');
  const { chmodSync } = await import('node:fs');
  chmodSync(first ?? '', 0o600);
  writeFileSync(first ?? '', readFileSync(second ?? ''));
  const [moved, own] = refs.map((ref) => artifacts.get(ref));
  expect(await Promise.all([codeOf(moved ?? Promise.resolve()), own])).toEqual(['artifact.missing', Buffer.from('two')]);
});

test('a folder may stay as it is while payloads are sealed', async () => {
  const stateDir = scratchFolder();
  await fill(openRecords({ stateDir, keys: K1 }));
  const open = openRecords({ stateDir, keys: K1, sealFolder: false });
  await open.ledger.append(KEY, 'further', { said: WORD });
  expect([await read(open), showing(stateDir).length]).toEqual([ALL, 1]);
});
