import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import { join } from 'node:path';
import { ToolRefusal } from '../../activities/tool-ports';
import { codeOf } from '../activities/workshop';
import { openFilesBelow } from '../support/open-files-below';
import { files, LIMIT, scene, walked } from './work-folder-scene';

describe('a file', () => {
  test('is written whole, with the folders above it, and nothing is left next to it', async () => {
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
    await expect(files.write({ folder, path: 'a' }, 'x')).rejects.toThrow(ToolRefusal);
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('kept');
  });

  test('that was changed since it was read is not replaced', async () => {
    const { folder } = scene();
    writeFileSync(join(folder, 'a'), 'one');
    const { version } = await files.read({ folder, path: 'a' }, LIMIT);
    writeFileSync(join(folder, 'a'), 'another');
    await expect(files.write({ folder, path: 'a' }, 'mine', { ifStill: version })).rejects.toThrow(ToolRefusal);
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('another');
    expect(readdirSync(folder)).toEqual(['a']);
  });

  test('in the way of a folder, and a folder in the way of a file, are reported', async () => {
    const { folder } = scene();
    writeFileSync(join(folder, 'a'), '');
    mkdirSync(join(folder, 'b'));
    await expect(files.write({ folder, path: 'a/b' }, 'x')).rejects.toThrow(ToolRefusal);
    await expect(files.write({ folder, path: 'b' }, 'x')).rejects.toThrow(ToolRefusal);
    await expect(files.read({ folder, path: 'b' }, LIMIT)).rejects.toThrow(ToolRefusal);
  });

  test('over the limit is not read, nor one that says nothing about its size', async () => {
    const { folder } = scene();
    writeFileSync(join(folder, 'a'), 'x'.repeat(LIMIT + 1));
    expect(await codeOf(files.read({ folder, path: 'a' }, LIMIT))).toBe('tool.failed');
  });

  test('that is not there, or in a folder that is not there, is reported', async () => {
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

test.each([
  ['EACCES', [{ path: 'a', kind: 'skipped' }]],
  ['EIO', [{ path: 'a', kind: 'skipped' }]],
  ['ENOENT', []],
])('a walk reports an entry that cannot be looked at, and passes over one that has vanished: %s', async (code, found) => {
  const { folder } = scene();
  writeFileSync(join(folder, 'a'), '');
  const refused = jest.spyOn(fs, 'lstat').mockRejectedValueOnce(Object.assign(new Error(code), { code }));
  expect(await walked(folder)).toMatchObject(found);
  refused.mockRestore();
});

test('a walk is lazy: a caller that stops early does not pay for the rest', async () => {
  const { folder } = scene();
  for (let i = 0; i < 300; i += 1) writeFileSync(join(folder, `f${1000 + i}`), '');
  const found: string[] = [];
  for await (const { path } of files.walk({ folder, path: '.' }, 9, new AbortController().signal)) {
    // The last file is removed before the walk reaches it.
    if (found.push(path) === 1) rmSync(join(folder, 'f1299'));
  }
  expect([found.length, found.at(-1)]).toEqual([299, 'f1298']);
});

test('no descriptor is left open, whatever became of the call', async () => {
  const { folder, outside } = scene();
  symlinkSync(outside, join(folder, 'link'));
  mkdirSync(join(folder, 'a/b'), { recursive: true });
  await Promise.allSettled([
    files.read({ folder, path: 'link/secret' }, LIMIT),
    files.read({ folder, path: 'a/b/none' }, LIMIT),
    files.write({ folder, path: 'a/b/c' }, 'x'),
    files.write({ folder, path: 'a/b' }, 'x'),
    walked(folder),
  ]);
  expect(openFilesBelow(folder)).toEqual([]);
  expect(lstatSync(join(folder, 'a/b/c')).isFile()).toBe(true);
});
