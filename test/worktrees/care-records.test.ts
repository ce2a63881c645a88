import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { worktreeRecords } from '../../worker/worktrees/worktree-records';
import { RECORD } from './record';

test('a record is read as it was written, replaced, and removed more than once', async () => {
  const records = worktreeRecords(await root());
  expect(await records.read(RECORD)).toBeUndefined();
  await records.write(RECORD);
  await records.write({ ...RECORD, ready: true });
  expect(await records.read(RECORD)).toEqual({ ...RECORD, ready: true });
  await records.remove(RECORD);
  await records.remove(RECORD);
  expect(await records.list()).toEqual({ records: [], unreadable: [] });
});

test('slots, epochs and runs have records of their own, listed by age', async () => {
  const records = worktreeRecords(await root());
  const later = { ...RECORD, epoch: 2, createdAt: '2026-11-23T11:00:00.000Z' };
  const earlier = { ...RECORD, slot: `Parts[3]/${'long/'.repeat(80)}`, createdAt: '2026-11-23T09:00:00.000Z' };
  for (const record of [later, RECORD, earlier]) await records.write(record);
  expect((await records.list()).records).toEqual([earlier, RECORD, later]);
  expect(await records.read({ ...RECORD, slot: 'parts[4]/write' })).toBeUndefined();
});

test.each([
  ['is torn', '{"version": 1,', 'it is not JSON'],
  ['is empty', '', 'it is not JSON'],
  ['is of a later version', JSON.stringify({ ...RECORD, version: 2 }), 'another version of Thermidor wrote it'],
  ['lacks a field', JSON.stringify({ ...RECORD, folder: undefined, epoch: '1' }), 'it lacks folder, epoch'],
  ['has no date', JSON.stringify({ ...RECORD, createdAt: 'today' }), 'its `createdAt` is not a date'],
  ['was copied from another', JSON.stringify({ ...RECORD, slot: 'other' }), 'it is the record of another worktree'],
])('a record that %s is listed as unreadable', async (_, content, reason) => {
  const folder = await root();
  const records = worktreeRecords(folder);
  await records.write(RECORD);
  const [name = ''] = await readdir(join(folder, 'records'));
  const path = join(folder, 'records', name);
  await writeFile(path, content);
  expect(await records.list()).toEqual({ records: [], unreadable: [{ path, reason }] });
});

test('a record that cannot be read fails those who need it, and does not count as absent', async () => {
  const folder = await root();
  const records = worktreeRecords(folder);
  await records.write(RECORD);
  const [name = ''] = await readdir(join(folder, 'records'));
  await writeFile(join(folder, 'records', name), 'torn');
  await expect(records.read(RECORD)).rejects.toMatchObject({ code: 'store.unavailable' });
});

function root(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'worktree-records-'));
}
