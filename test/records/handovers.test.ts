import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openHandovers } from '../../records/directory/handover-files';
import { type Handovers, YOUNGER_FIRST_MS } from '../../records/handovers';
import { scratchFolder } from '../support/scratch-folder';

/** Work that a worker hands over is offered first to workers that have begun since it had to stop. */
let root: string;
let now: number;
const WORK = 'slow~1 (command) of long-1';

beforeEach(() => {
  root = scratchFolder();
  now = 1000;
});

/** A worker that begins now. */
function worker(): Promise<Handovers> {
  now += 1;
  return openHandovers(root, async () => now);
}

async function drain(leaving: Handovers, works = [WORK], graceMs = 10_000): Promise<void> {
  now += 1;
  await leaving.stopping();
  now += graceMs;
  await leaving.handOver(works);
}

test('older workers leave it, younger ones take it, also those that began within the grace', async () => {
  const [leaving, older] = [await worker(), await worker()];
  now += 1;
  await leaving.stopping();
  const within = await worker();
  await leaving.handOver([WORK]);
  const after = await worker();
  expect(await Promise.all([older, within, after].map((one) => one.isForYounger(WORK)))).toEqual([true, false, false]);
  expect(await older.isForYounger('another~1 (command) of long-1')).toBe(false);
});

test('after a while anyone takes it, and nothing is left of the note', async () => {
  const [leaving, older] = [await worker(), await worker()];
  await drain(leaving);
  now += YOUNGER_FIRST_MS - 1;
  expect(await older.isForYounger(WORK)).toBe(true);
  now += 1;
  expect(await older.isForYounger(WORK)).toBe(false);
  expect(readdirSync(join(root, 'handed-over'))).toEqual(['scratch']);
});

test('a worker that took it and is stopped as well hands it to those that began after that', async () => {
  const [first, older] = [await worker(), await worker()];
  await drain(first);
  const second = await worker();
  expect(await second.isForYounger(WORK)).toBe(false);
  await drain(second, [WORK], 0);
  const third = await worker();
  expect(await Promise.all([older, third].map((one) => one.isForYounger(WORK)))).toEqual([true, false]);
});

test('a worker that did not have to stop hands over as of now', async () => {
  const [broken, older] = [await worker(), await worker()];
  await broken.handOver([WORK]);
  expect(await older.isForYounger(WORK)).toBe(true);
  expect(await (await worker()).isForYounger(WORK)).toBe(false);
});

test('what is not a note is removed, and concerns nothing', async () => {
  const older = await worker();
  const path = join(root, 'handed-over', 'later.json');
  writeFileSync(path, JSON.stringify({ version: 2, works: [WORK] }));
  expect(await older.isForYounger(WORK)).toBe(false);
  expect(existsSync(path)).toBe(false);
});

test('by the clock of the store, which is not that of a host', async () => {
  const older = await openHandovers(root);
  const leaving = await openHandovers(root);
  await leaving.handOver([WORK]);
  const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 10 * YOUNGER_FIRST_MS);
  expect(await older.isForYounger(WORK)).toBe(true);
  clock.mockRestore();
});

test('a state folder that is gone is not made again', async () => {
  const leaving = await openHandovers(root);
  rmSync(root, { recursive: true });
  await expect(leaving.stopping()).rejects.toMatchObject({ code: 'store.unavailable' });
  await expect(leaving.handOver([WORK])).rejects.toMatchObject({ code: 'store.unavailable' });
  expect(await leaving.isForYounger(WORK)).toBe(false);
  expect(existsSync(root)).toBe(false);
});
