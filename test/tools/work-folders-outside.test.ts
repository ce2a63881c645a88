import { spawn, spawnSync } from 'node:child_process';
import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DiskWorkFolders } from '../../activities/adapters/work-folder/work-folders';
import { type Found, ToolRefusal } from '../../activities/tool-ports';
import { files, LIMIT, scene, walked } from './work-folder-scene';

describe('a symbolic link', () => {
  const LINKS: [string, (at: { folder: string; outside: string }) => void, string][] = [
    ['to a file outside', ({ folder, outside }) => symlinkSync(join(outside, 'secret'), join(folder, 'a')), 'a'],
    ['to a file outside, by "..",', ({ folder }) => symlinkSync('../outside/secret', join(folder, 'a')), 'a'],
    ['to a folder outside', ({ folder, outside }) => symlinkSync(outside, join(folder, 'a')), 'a/secret'],
    ['in the middle', ({ folder, outside }) => linkWithin(folder, outside), 'x/y/secret'],
    ['that leads nowhere', ({ folder, outside }) => symlinkSync(join(outside, 'new'), join(folder, 'a')), 'a'],
    ['that leads nowhere, as a folder', ({ folder, outside }) => symlinkSync(join(outside, 'new'), join(folder, 'a')), 'a/new'],
    ['to itself', ({ folder }) => symlinkSync('a', join(folder, 'a')), 'a'],
    ['to a file within', ({ folder }) => linkToNeighbour(folder), 'a'],
    ['to /proc', ({ folder }) => symlinkSync('/proc/self', join(folder, 'a')), 'a/environ'],
  ];

  test.each(LINKS)('%s is neither read nor written', async (_, make, path) => {
    const { folder, outside, secret } = scene();
    make({ folder, outside });
    await expect(files.read({ folder, path }, LIMIT)).rejects.toThrow(ToolRefusal);
    await expect(files.write({ folder, path }, 'x')).rejects.toThrow(ToolRefusal);
    expect(secret()).toBe('SECRET');
    expect(readdirSync(outside)).toEqual(['secret']);
  });

  test('to a folder is listed and not entered', async () => {
    const { folder, outside } = scene();
    symlinkSync(outside, join(folder, 'a'));
    expect(await walked(folder)).toEqual([{ kind: 'link', path: 'a', below: 'a' }]);
    await expect(walked(folder, 'a')).rejects.toThrow(ToolRefusal);
  });

  test('that leads to the step’s folder itself is its owner’s affair', async () => {
    const { folder, outside } = scene();
    writeFileSync(join(folder, 'a'), 'text');
    symlinkSync(folder, join(outside, 'alias'));
    const alias = join(outside, 'alias');
    expect((await files.read({ folder: alias, path: join(alias, 'a') }, LIMIT)).content.toString()).toBe('text');
    expect((await files.read({ folder: alias, path: join(folder, 'a') }, LIMIT)).content.toString()).toBe('text');
  });
});

test('a hard link to a file outside is written next to it: the file outside stays as it was', async () => {
  const { folder, outside, secret } = scene();
  linkSync(join(outside, 'secret'), join(folder, 'a'));
  await files.write({ folder, path: 'a' }, 'mine');
  expect([secret(), readFileSync(join(folder, 'a'), 'utf8')]).toEqual(['SECRET', 'mine']);
});

test('a pipe, a socket and a device are refused at once', async () => {
  const { folder } = scene();
  spawnSync('mkfifo', [join(folder, 'pipe')]);
  const server = createServer().listen(join(folder, 'socket'));
  await new Promise((resolve) => server.once('listening', resolve));
  for (const path of ['pipe', 'socket']) {
    await expect(files.read({ folder, path }, LIMIT)).rejects.toThrow(ToolRefusal);
    await expect(files.write({ folder, path }, 'x')).rejects.toThrow(ToolRefusal);
  }
  expect((await walked(folder)).map(({ kind }) => kind)).toEqual(['special', 'special']);
  await expect(files.read({ folder: '/dev', path: 'zero' }, LIMIT)).rejects.toThrow(ToolRefusal);
  await new Promise((resolve) => server.close(resolve));
});

test('what is swapped for a link between two looks leads nobody outside', async () => {
  const { folder, outside, secret } = scene();
  mkdirSync(join(folder, 'a'));
  writeFileSync(join(folder, 'a/secret'), 'mine');
  // A program that swaps the folder for a link to the other one, and back, as fast as possible.
  const swap = `
    const fs = require('node:fs');
    const [a, kept, outside] = ${JSON.stringify([join(folder, 'a'), join(folder, 'kept'), outside])};
    const step = (work) => { try { work(); } catch {} };
    process.stdout.write('ready');
    for (;;) {
      step(() => fs.renameSync(a, kept));
      step(() => fs.symlinkSync(outside, a));
      step(() => fs.rmSync(a, { recursive: true }));
      step(() => fs.renameSync(kept, a));
    }`;
  const other = spawn(process.execPath, ['-e', swap], { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = new Promise((resolve) => other.once('close', resolve));
  await new Promise((resolve) => other.stdout.once('data', resolve));
  const outcomes = new Set<string>();
  for (let i = 0; i < 300; i += 1) {
    const read = files.read({ folder, path: 'a/secret' }, LIMIT).then(
      ({ content }) => content.toString(),
      () => 'refused',
    );
    outcomes.add(await read);
    await files.write({ folder, path: 'a/secret' }, 'mine').catch(() => undefined);
    await walked(folder, 'a').catch(() => undefined);
  }
  other.kill('SIGKILL');
  await closed;
  expect(outcomes).not.toContain('SECRET');
  expect(secret()).toBe('SECRET');
  expect(readdirSync(outside)).toEqual(['secret']);
});

function linkWithin(folder: string, outside: string): void {
  mkdirSync(join(folder, 'x'));
  symlinkSync(outside, join(folder, 'x/y'));
}

function linkToNeighbour(folder: string): void {
  writeFileSync(join(folder, 'b'), 'b');
  symlinkSync('b', join(folder, 'a'));
}

describe('the state folder within the folder in which an agent works', () => {
  function withState() {
    const { folder } = scene();
    const state = join(folder, '.thermidor');
    mkdirSync(join(state, 'work', 'step'), { recursive: true });
    writeFileSync(join(state, 'key'), 'SECRET');
    return { folder, state, files: new DiskWorkFolders(state) };
  }

  test.each(['.thermidor/grants/site.jsonl', '.thermidor/key', './x/../.thermidor/key'])('%s is neither read nor written', async (path) => {
    const { folder, state, files } = withState();
    await expect(files.read({ folder, path }, LIMIT)).rejects.toThrow(ToolRefusal);
    await expect(files.write({ folder, path }, 'x')).rejects.toThrow(ToolRefusal);
    await expect(files.write({ folder: state, path: 'key' }, 'x')).rejects.toThrow(ToolRefusal);
    expect([readFileSync(join(state, 'key'), 'utf8'), readdirSync(state)]).toEqual(['SECRET', ['key', 'work']]);
  });

  test('is listed, and not entered', async () => {
    const { folder, files } = withState();
    const found: Found[] = [];
    for await (const one of files.walk({ folder, path: '.' }, 9, new AbortController().signal)) found.push(one);
    expect(found.map(({ kind, path }) => [kind, path])).toEqual([
      ['folder', '.thermidor'],
      ['skipped', '.thermidor'],
    ]);
  });

  test('is known by itself, whatever its name is by now', async () => {
    const { folder, state } = withState();
    const files = new DiskWorkFolders(join(folder, 'state'));
    renameSync(state, join(folder, 'state'));
    symlinkSync('state', state);
    await expect(files.read({ folder, path: 'state/key' }, LIMIT)).rejects.toThrow(ToolRefusal);
  });

  test('has the folders of steps in it, which are theirs', async () => {
    const { state, files } = withState();
    await files.write({ folder: join(state, 'work', 'step'), path: 'a' }, 'x');
    expect(readFileSync(join(state, 'work', 'step', 'a'), 'utf8')).toBe('x');
  });
});
