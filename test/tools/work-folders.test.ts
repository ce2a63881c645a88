import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DiskWorkFolders } from '../../activities/adapters/work-folder/work-folders';
import { type Found, Refusal } from '../../activities/tool-ports';
import { codeOf } from '../activities/workshop';
import { toolBench } from './tool-use';

const files = new DiskWorkFolders();
const LIMIT = 1000;

function scene() {
  const { folder, outside } = toolBench();
  writeFileSync(join(outside, 'secret'), 'SECRET');
  return { folder, outside, secret: () => readFileSync(join(outside, 'secret'), 'utf8') };
}

async function walked(folder: string, path = '.', depth = 9): Promise<Found[]> {
  const all: Found[] = [];
  for await (const found of files.walk({ folder, path }, depth, new AbortController().signal)) all.push(found);
  return all;
}

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
    await expect(files.read({ folder, path }, LIMIT)).rejects.toThrow(Refusal);
    await expect(files.write({ folder, path }, 'x')).rejects.toThrow(Refusal);
    expect(secret()).toBe('SECRET');
    expect(readdirSync(outside)).toEqual(['secret']);
  });

  test('to a folder is listed and not entered', async () => {
    const { folder, outside } = scene();
    symlinkSync(outside, join(folder, 'a'));
    expect(await walked(folder)).toEqual([{ kind: 'link', path: 'a', below: 'a' }]);
    await expect(walked(folder, 'a')).rejects.toThrow(Refusal);
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

test('a hard link to a file outside is written beside it: the file outside stays as it was', async () => {
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
    await expect(files.read({ folder, path }, LIMIT)).rejects.toThrow(Refusal);
    await expect(files.write({ folder, path }, 'x')).rejects.toThrow(Refusal);
  }
  expect((await walked(folder)).map(({ kind }) => kind)).toEqual(['special', 'special']);
  await expect(files.read({ folder: '/dev', path: 'zero' }, LIMIT)).rejects.toThrow(Refusal);
  await new Promise((resolve) => server.close(resolve));
});

test('what is swapped for a link between two looks leads nobody outside', async () => {
  const { folder, outside, secret } = scene();
  mkdirSync(join(folder, 'a'));
  writeFileSync(join(folder, 'a/secret'), 'mine');
  // Somebody who swaps the folder for a link to the other, and back, as fast as it goes.
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

describe('a file', () => {
  test('is written whole, with the folders above it, and nothing is left beside it', async () => {
    const { folder } = scene();
    expect(await files.write({ folder, path: 'a/b/c.txt' }, 'one')).toEqual({ made: true });
    expect(await files.write({ folder, path: 'a/b/c.txt' }, 'two')).toEqual({ made: false });
    expect(readFileSync(join(folder, 'a/b/c.txt'), 'utf8')).toBe('two');
    expect(readdirSync(join(folder, 'a/b'))).toEqual(['c.txt']);
  });

  test('keeps its mode, without the bits that give rights away', async () => {
    const { folder } = scene();
    writeFileSync(join(folder, 'a.sh'), '');
    chmodSync(join(folder, 'a.sh'), 0o4750);
    await files.write({ folder, path: 'a.sh' }, 'x');
    expect(statSync(join(folder, 'a.sh')).mode & 0o7777).toBe(0o750);
  });

  test('that nobody may write is not replaced', async () => {
    const { folder } = scene();
    writeFileSync(join(folder, 'a'), 'kept', { mode: 0o444 });
    await expect(files.write({ folder, path: 'a' }, 'x')).rejects.toThrow(Refusal);
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('kept');
  });

  test('that was changed since it was read is not replaced', async () => {
    const { folder } = scene();
    writeFileSync(join(folder, 'a'), 'one');
    const { version } = await files.read({ folder, path: 'a' }, LIMIT);
    writeFileSync(join(folder, 'a'), 'another');
    await expect(files.write({ folder, path: 'a' }, 'mine', { ifStill: version })).rejects.toThrow(Refusal);
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('another');
    expect(readdirSync(folder)).toEqual(['a']);
  });

  test('in the way of a folder, and a folder in the way of a file, are told', async () => {
    const { folder } = scene();
    writeFileSync(join(folder, 'a'), '');
    mkdirSync(join(folder, 'b'));
    await expect(files.write({ folder, path: 'a/b' }, 'x')).rejects.toThrow(Refusal);
    await expect(files.write({ folder, path: 'b' }, 'x')).rejects.toThrow(Refusal);
    await expect(files.read({ folder, path: 'b' }, LIMIT)).rejects.toThrow(Refusal);
  });

  test('over the limit is not read, nor one that says nothing of its size', async () => {
    const { folder } = scene();
    writeFileSync(join(folder, 'a'), 'x'.repeat(LIMIT + 1));
    expect(await codeOf(files.read({ folder, path: 'a' }, LIMIT))).toBe('tool.failed');
  });

  test('that is not there, or in a folder that is not there, is told', async () => {
    const { folder } = scene();
    expect(await codeOf(files.read({ folder, path: 'a' }, LIMIT))).toBe('tool.failed');
    expect(await codeOf(files.read({ folder, path: 'a/b' }, LIMIT))).toBe('tool.failed');
    expect(await codeOf(files.read({ folder: join(folder, 'none'), path: 'a' }, LIMIT))).toBe('tool.failed');
  });

  test('may have any name that leads nowhere', async () => {
    const { folder } = scene();
    for (const path of ['a\nb', ' ', '~', '-rf', 'é', '*']) {
      await files.write({ folder, path }, path);
      expect((await files.read({ folder, path }, LIMIT)).content.toString()).toBe(path);
    }
  });
});

test('a walk is sorted, as deep as it is asked for, and tells what it does not enter', async () => {
  const { folder } = scene();
  for (const path of ['b/y', 'a/x/deep/er', '.git/x', 'node_modules/x']) mkdirSync(join(folder, path), { recursive: true });
  writeFileSync(join(folder, 'a/x/file'), '12');
  symlinkSync('nowhere', join(folder, 'z'));
  expect((await walked(folder, '.', 3)).map(({ kind, path }) => [kind, path])).toEqual([
    ['skipped', '.git'],
    ['folder', 'a'],
    ['folder', 'a/x'],
    ['folder', 'a/x/deep'],
    ['file', 'a/x/file'],
    ['folder', 'b'],
    ['folder', 'b/y'],
    ['skipped', 'node_modules'],
    ['link', 'z'],
  ]);
  expect(await walked(folder, 'a/x', 1)).toEqual([
    { kind: 'folder', path: 'a/x/deep', below: 'deep' },
    { kind: 'file', path: 'a/x/file', below: 'file', sizeBytes: 2 },
  ]);
});

test('a walk looks at what is asked for: whoever stops early has not paid for the rest', async () => {
  const { folder } = scene();
  for (let i = 0; i < 300; i += 1) writeFileSync(join(folder, `f${1000 + i}`), '');
  const found: string[] = [];
  for await (const { path } of files.walk({ folder, path: '.' }, 9, new AbortController().signal)) {
    // The last is gone by the time that its turn comes.
    if (found.push(path) === 1) rmSync(join(folder, 'f1299'));
  }
  expect([found.length, found.at(-1)]).toEqual([299, 'f1298']);
});

test('no descriptor is left open, whatever became of the call', async () => {
  const { folder, outside } = scene();
  symlinkSync(outside, join(folder, 'link'));
  mkdirSync(join(folder, 'a/b'), { recursive: true });
  const open = () =>
    readdirSync('/proc/self/fd')
      .flatMap((fd) => targetOf(`/proc/self/fd/${fd}`))
      .filter((path) => path.startsWith(folder));
  await Promise.allSettled([
    files.read({ folder, path: 'link/secret' }, LIMIT),
    files.read({ folder, path: 'a/b/none' }, LIMIT),
    files.write({ folder, path: 'a/b/c' }, 'x'),
    files.write({ folder, path: 'a/b' }, 'x'),
    walked(folder),
  ]);
  expect(existsSync('/proc/self/fd') ? open() : []).toEqual([]);
  expect(lstatSync(join(folder, 'a/b/c')).isFile()).toBe(true);
});

function targetOf(path: string): string[] {
  try {
    return [readlinkSync(path)];
  } catch {
    return [];
  }
}

function linkWithin(folder: string, outside: string): void {
  mkdirSync(join(folder, 'x'));
  symlinkSync(outside, join(folder, 'x/y'));
}

function linkToNeighbour(folder: string): void {
  writeFileSync(join(folder, 'b'), 'b');
  symlinkSync('b', join(folder, 'a'));
}
