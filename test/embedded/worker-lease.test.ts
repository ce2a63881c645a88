import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requireUnused } from '../../cli/commands/store-copy';
import { type LeasedServer, leaseWorker } from '../../cli/session/worker-lease';
import { identifyProcess } from '../../records/locks/process-identity';

/**
 * Leases of workers of servers that run elsewhere: the next worker of the same place and server knows who was killed, and no other does.
 */
let stateDir: string;
let children: ChildProcess[];
const log = jest.fn();
const PLACE = 'boot pid:[1]';
const lease = (server: Partial<LeasedServer> = {}, place = PLACE) =>
  leaseWorker({ stateDir, address: 'temporal:7233', namespace: 'default', taskQueue: 'thermidor', ...server }, log, place);

beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), 'thermidor-worker-lease-'));
  children = [];
  log.mockClear();
});
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(stateDir, { recursive: true, force: true });
});

const folders = (): string[] => readdirSync(join(stateDir, 'leases', 'elsewhere'));
/** Makes the last lease belong to another process. */
function give(identity: string, process: object): void {
  for (const folder of folders())
    for (const name of readdirSync(join(stateDir, 'leases', 'elsewhere', folder))) {
      const path = join(stateDir, 'leases', 'elsewhere', folder, name);
      const said = JSON.parse(readFileSync(path, 'utf8'));
      if (said.identity === identity) writeFileSync(path, JSON.stringify({ ...said, process }));
    }
}

function living(): { pid: number; child: ChildProcess } {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { stdio: 'ignore' });
  children.push(child);
  return { pid: child.pid ?? 0, child };
}

test('a folder is in use as long as a worker of a server elsewhere lives, whether or not it gives a sign of life', async () => {
  requireUnused(stateDir, { stateDir });
  const mine = await lease();
  expect(() => requireUnused(stateDir, { stateDir })).toThrow(expect.objectContaining({ code: 'store.copy-refused' }));
  mine.release();
  requireUnused(stateDir, { stateDir });
});

test('a worker that was killed is lost to the next, and to it alone', async () => {
  const { pid, child } = living();
  const first = await lease();
  give(first.identity, identifyProcess(pid) ?? {});
  expect((await lease()).lost).toEqual([]);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const [second, third] = await Promise.all([lease(), lease()]);
  expect([...second.lost, ...third.lost]).toEqual([first.identity]);
});

test('one that ended in order left nothing', async () => {
  (await lease()).release();
  expect((await lease()).lost).toEqual([]);
});

test('another process of its id is not taken for it', async () => {
  const { pid } = living();
  const first = await lease();
  give(first.identity, { pid, began: '1@an earlier boot' });
  expect((await lease()).lost).toEqual([first.identity]);
});

test('a process that took over and was killed before it was done leaves both', async () => {
  const [first, dead] = [await lease(), { pid: 1, began: 'long ago' }];
  give(first.identity, dead);
  const second = await lease();
  give(second.identity, dead);
  expect((await lease()).lost).toEqual([first.identity, second.identity]);
});

test.each<[string, Partial<LeasedServer>, string]>([
  ['container or machine', {}, 'boot pid:[2]'],
  ['server', { address: 'other:7233' }, PLACE],
  ['namespace', { namespace: 'other' }, PLACE],
  ['task queue', { taskQueue: 'other' }, PLACE],
])('those of another %s are not judged, and stay', async (_what, server, place) => {
  const first = await lease();
  give(first.identity, { pid: 1, began: 'long ago' });
  expect((await lease(server, place)).lost).toEqual([]);
  expect((await lease()).lost).toEqual([first.identity]);
});

test('what other places left is forgotten after a month', async () => {
  await lease({}, 'boot pid:[2]');
  const [old = ''] = folders();
  const before = new Date(Date.now() - 31 * 24 * 60 * 60 * 1000);
  utimesSync(join(stateDir, 'leases', 'elsewhere', old), before, before);
  await lease();
  expect(folders()).not.toContain(old);
  expect(folders()).toHaveLength(1);
});

test('if none can be left, a worker has an identity all the same', async () => {
  mkdirSync(join(stateDir, 'leases'));
  writeFileSync(join(stateDir, 'leases', 'elsewhere'), 'a file');
  expect(await lease()).toMatchObject({ identity: expect.stringMatching(/^thermidor-/), lost: [] });
  expect(log).toHaveBeenCalledTimes(1);
});
