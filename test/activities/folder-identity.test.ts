import { cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ArtifactFiles } from '../../records/directory/artifact-files';
import { LedgerFiles } from '../../records/directory/ledger-files';
import { failureOf, KEY, scratchFolder } from './workshop';

const JSON_TYPE = { mediaType: 'application/json' };

/** Every use of a store, each on a root that this process has used before. */
const USES: Readonly<Record<string, (root: string) => Promise<unknown>>> = {
  'the ledger is asked for what is not in it': (root) => new LedgerFiles(root).get(KEY, 'a#1~1'),
  'a record is written': (root) => new LedgerFiles(root).putIfAbsent(KEY, 'b', 1),
  'a line is written': (root) => new LedgerFiles(root).append(KEY, 'log', 1),
  'lines are read that are not there': (root) => new LedgerFiles(root).lines(KEY, 'none'),
  'a log of records is opened': (root) => new LedgerFiles(root).recordLog(KEY, 'commands'),
  'an artifact is stored': (root) => new ArtifactFiles(root).put('new', JSON_TYPE),
  'an artifact is stored with others': (root) => new ArtifactFiles(root).batch().put('new', JSON_TYPE),
  'an artifact is read': (root) => new ArtifactFiles(root).get({ sha256: 'a'.repeat(64) }),
};

async function used(): Promise<string> {
  const root = join(scratchFolder(), 'state');
  await new LedgerFiles(root).putIfAbsent(KEY, 'run', { at: 1 });
  await new ArtifactFiles(root).put('before', JSON_TYPE);
  return root;
}

describe.each(Object.entries(USES))('a state folder that is gone when %s', (_, use) => {
  test('is not made again: the store cannot be used until it is back', async () => {
    const root = await used();
    const aside = `${root}-aside`;
    renameSync(root, aside);
    for (let again = 0; again < 2; again++) {
      expect(await failureOf(use(root))).toMatchObject({ code: 'store.unavailable', details: { reason: 'LOST' } });
      expect(existsSync(root)).toBe(false);
    }
    renameSync(aside, root);
    expect(await new LedgerFiles(root).get(KEY, 'run')).toEqual({ at: 1 });
  });

  test('is not mistaken for another folder in its place', async () => {
    const root = await used();
    const other = await used();
    rmSync(root, { recursive: true });
    renameSync(other, root);
    expect(await failureOf(use(root))).toMatchObject({ code: 'store.unavailable', details: { reason: 'REPLACED' } });
  });
});

test('a copy that was put back is as good', async () => {
  const root = await used();
  cpSync(root, `${root}-copy`, { recursive: true });
  rmSync(root, { recursive: true });
  renameSync(`${root}-copy`, root);
  expect(await new LedgerFiles(root).get(KEY, 'other')).toBeUndefined();
  expect(await new LedgerFiles(root).putIfAbsent(KEY, 'run', { at: 2 })).toEqual({ at: 1 });
});

test('a process that has only read from a ledger knows it too', async () => {
  const root = join(scratchFolder(), 'state');
  mkdirSync(join(root, 'ledger'), { recursive: true });
  writeFileSync(join(root, 'ledger', '.id'), 'made by another process');
  expect(await new LedgerFiles(root).get(KEY, 'a')).toBeUndefined();
  rmSync(root, { recursive: true });
  expect(await failureOf(new LedgerFiles(root).putIfAbsent(KEY, 'a', 1))).toMatchObject({ code: 'store.unavailable' });
});

test('a log that is open when its folder goes says so when it is closed', async () => {
  const root = await used();
  const log = await new LedgerFiles(root).recordLog(KEY, 'commands');
  rmSync(root, { recursive: true });
  await log.putIfAbsent('a', 1);
  expect(await failureOf(log.close())).toMatchObject({ code: 'store.unavailable', details: { reason: 'LOST' } });
});

test('a folder that has no mark gets one', async () => {
  const root = scratchFolder();
  mkdirSync(join(root, 'ledger'), { recursive: true });
  writeFileSync(join(root, 'ledger', 'note'), '');
  expect(await new LedgerFiles(root).get(KEY, 'a')).toBeUndefined();
  await new LedgerFiles(root).putIfAbsent(KEY, 'a', 1);
  rmSync(join(root, 'ledger'), { recursive: true });
  expect(await failureOf(new LedgerFiles(root).get(KEY, 'a'))).toMatchObject({ code: 'store.unavailable' });
});
