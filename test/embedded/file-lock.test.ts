import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withServerLock } from '../../cli/embedded/server-lock';
import { withFileLock } from '../../records/locks/file-lock';
import { identifySelf, isRunning } from '../../records/locks/process-identity';
import { scratchFolder } from '../support/scratch-folder';
import { breakDisk } from './broken-disk';

let folder: string;
let lock: string;

beforeEach(() => {
  folder = scratchFolder();
  lock = join(folder, 'server.lock');
});
afterEach(() => {
  jest.restoreAllMocks();
});

const DEAD = { pid: process.pid, began: 'at the dawn of time' };

function leaveLock(id: string, process = DEAD, path = lock): void {
  writeFileSync(path, JSON.stringify({ id, process }));
}

/** How many were inside at once, at most. */
async function crowd(size: number): Promise<number> {
  let inside = 0;
  let most = 0;
  const visit = async () => {
    inside += 1;
    most = Math.max(most, inside);
    await new Promise(setImmediate);
    inside -= 1;
  };
  await Promise.all(Array.from({ length: size }, () => withFileLock(lock, visit)));
  return most;
}

test('only one is inside at a time, and nothing is left behind', async () => {
  expect(await crowd(8)).toBe(1);
  expect(readdirSync(folder)).toEqual([]);
});

test('a lock whose holder is gone is taken over by one', async () => {
  leaveLock('00000000000000aa');
  expect(await crowd(8)).toBe(1);
  expect(readdirSync(folder)).toEqual([]);
});

test('an heir that died before it took over has an heir', async () => {
  leaveLock('00000000000000aa');
  leaveLock('00000000000000bb', DEAD, `${lock}.after-00000000000000aa`);
  expect(await crowd(4)).toBe(1);
  expect(readdirSync(folder)).toEqual([]);
});

test('a file that is not a lock counts as left behind', async () => {
  writeFileSync(lock, '');
  expect(await crowd(2)).toBe(1);
});

test('a holder that lives is never robbed', async () => {
  leaveLock('00000000000000aa', identifySelf());
  await expect(withFileLock(lock, async () => 'inside', { patienceMs: 0 })).rejects.toMatchObject({ name: 'LockHeld', pid: process.pid });
  await expect(withServerLock(lock, async () => 'inside', { patienceMs: 0 })).rejects.toMatchObject({ name: 'ServerUnavailable' });
});

test('a wait ends with its signal', async () => {
  leaveLock('00000000000000aa', identifySelf());
  const off = new AbortController();
  const waiting = withFileLock(lock, async () => 'inside', { signal: off.signal });
  off.abort(new Error('called off'));
  await expect(waiting).rejects.toThrow('called off');
  expect(readdirSync(folder)).toEqual(['server.lock']);
});

test.each(['ENOSPC', 'EROFS'] as const)('a disk that takes no lock is reported, and no draft stays: %s', async (code) => {
  breakDisk(folder, code);
  const refused = { name: 'ServerUnavailable', message: expect.stringContaining(folder), tried: [expect.stringContaining(code)] };
  await expect(withServerLock(lock, async () => 'inside')).rejects.toMatchObject(refused);
  expect(readdirSync(folder)).toEqual([]);
});

test('who lost the lock with its folder leaves that of the next one alone, and knows it', async () => {
  await withFileLock(lock, async (isHeld) => {
    expect(isHeld()).toBe(true);
    rmSync(lock);
    leaveLock('00000000000000bb');
    expect(isHeld()).toBe(false);
  });
  expect(readdirSync(folder)).toEqual(['server.lock']);
});

test('the lock is given back when the work inside fails', async () => {
  await expect(withFileLock(lock, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(withServerLock(lock, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(readdirSync(folder)).toEqual([]);
});

test('a process id that came round again is another process', () => {
  expect(isRunning(identifySelf())).toBe(true);
  expect(isRunning(DEAD)).toBe(false);
});
