import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hostPresenceFiles } from '../../records/directory/host-presence-files';
import type { HostPresence } from '../../records/host-presence';
import { hostId } from '../../worker/worktrees/host-id';
import { until } from '../support/until';

const silent = (): void => undefined;

describe('the id of a host', () => {
  test('stays, and is the same to all who ask for the first time at once', async () => {
    const root = await folder();
    const ids = await Promise.all(Array.from({ length: 20 }, () => hostId(root)));
    expect(new Set(ids).size).toBe(1);
    expect(await hostId(root)).toBe(ids[0]);
  });

  test('is readable, and fit for the name of a task queue', async () => {
    expect(await hostId(await folder(), { hostname: 'Büro PC.example.org' })).toMatch(/^b-ro-pc-example-org-[0-9a-f]{8}$/);
    expect(await hostId(await folder(), { hostname: '***' })).toMatch(/^host-[0-9a-f]{8}$/);
    expect(await hostId(await folder(), { hostname: `${'a'.repeat(39)}.${'b'.repeat(200)}` })).toMatch(/^a{39}-[0-9a-f]{8}$/);
  });

  test('differs between machines with one folder, and each keeps its own', async () => {
    const root = await folder();
    const machines = [{ hostname: 'a' }, { hostname: 'b' }, { hostname: 'a', machineId: '1' }, { hostname: 'a', machineId: '2' }];
    const ids = await Promise.all(machines.map((machine) => hostId(root, machine)));
    expect(new Set(ids).size).toBe(4);
    expect(await Promise.all(machines.map((machine) => hostId(root, machine)))).toEqual(ids);
  });

  test('differs between a folder and its copy on the same machine', async () => {
    const root = await folder();
    const copy = join(await folder(), 'copy');
    const id = await hostId(root);
    await promisify(execFile)('cp', ['-r', root, copy]);
    expect(await hostId(copy)).not.toBe(id);
    expect(await hostId(root)).toBe(id);
  });

  test('is not made up again if its file was spoilt', async () => {
    const root = await folder();
    await hostId(root);
    const [name = ''] = (await readdir(root)).filter((entry) => entry.startsWith('host-'));
    await writeFile(join(root, name), '../../elsewhere');
    await expect(hostId(root)).rejects.toMatchObject({ code: 'store.unavailable' });
  });
});

describe('the presence of a host', () => {
  test('a host is alive while any of its workers is', async () => {
    const presence = hostPresenceFiles(await folder(), silent);
    expect(await presence.isAlive('a')).toBe(false);
    const [stopFirst, stopSecond] = [await presence.announce('a'), await presence.announce('a')];
    await stopFirst();
    expect(await presence.isAlive('a')).toBe(true);
    await stopSecond();
    expect(await presence.isAlive('a')).toBe(false);
  });

  test('a host whose name begins like another is not that other', async () => {
    const presence = hostPresenceFiles(await folder(), silent);
    const stop = await presence.announce('build-10');
    expect([await presence.isAlive('build-1'), await presence.isAlive('build-10')]).toEqual([false, true]);
    await stop();
  });

  test('a killed worker’s host is dead after its time, and is alive again when it comes back', async () => {
    const state = await folder();
    const presence = hostPresenceFiles(state, silent);
    await killedWorker(state, 'a', 19);
    expect(await presence.isAlive('a')).toBe(true);
    await killedWorker(state, 'a', 21);
    expect(await presence.isAlive('a')).toBe(false);
    const stop = await presence.announce('a');
    expect(await presence.isAlive('a')).toBe(true);
    await stop();
  });

  test('signs of life are given again and again', async () => {
    const state = await folder();
    const presence = hostPresenceFiles(state, silent, { everyMs: 5 });
    const stop = await presence.announce('a');
    await age(state, 60);
    await until(() => presence.isAlive('a'));
    await stop();
    expect(await presence.isAlive('a')).toBe(false);
  });

  test('a state folder that is gone is neither made again nor fatal, and one that is back is used', async () => {
    const state = await folder();
    const said: string[] = [];
    const presence = hostPresenceFiles(state, (host) => said.push(host), { everyMs: 5 });
    const stop = await presence.announce('a');
    await rename(join(state, 'hosts'), join(state, 'moved'));
    await until(() => said.length > 0);
    expect(said).toEqual(['a']);
    expect(await readdir(state)).toEqual(['moved']);
    await rename(join(state, 'moved'), join(state, 'hosts'));
    await age(state, 60);
    await until(() => presence.isAlive('a'));
    await stop();
    await rm(state, { recursive: true });
  });

  test('what killed workers left is forgotten after ten minutes', async () => {
    const state = await folder();
    await killedWorker(state, 'a', 590);
    await (await hostPresenceFiles(state, silent).announce('b'))();
    expect(await readdir(join(state, 'hosts'))).toHaveLength(1);
    await age(state, 610);
    await (await hostPresenceFiles(state, silent).announce('b'))();
    expect(await readdir(join(state, 'hosts'))).toEqual([]);
  });
});

/** A worker that was killed. Its last sign of life was `agoSeconds` ago. */
async function killedWorker(state: string, host: string, agoSeconds: number): Promise<void> {
  const presence: HostPresence = hostPresenceFiles(state, silent);
  const stop = await presence.announce(host);
  const kept = await readdir(join(state, 'hosts'));
  await stop();
  for (const name of kept) await writeFile(join(state, 'hosts', name), 'killed');
  await age(state, agoSeconds);
}

async function age(state: string, agoSeconds: number): Promise<void> {
  const at = new Date(Date.now() - agoSeconds * 1000);
  for (const name of await readdir(join(state, 'hosts'))) await utimes(join(state, 'hosts', name), at, at);
}

function folder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'worktree-host-'));
}
