import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../plan/text/json';
import { type ToolBench, toolBench } from './tool-use';

function tree(...paths: string[]): ToolBench & { listed: (args: JsonObject) => Promise<string[]> } {
  const bench = toolBench();
  for (const path of paths) {
    mkdirSync(join(bench.folder, path, '..'), { recursive: true });
    writeFileSync(join(bench.folder, path), '');
  }
  return { ...bench, listed: async (args) => (await bench.call('list_files', args)).text.split('\n') };
}

test('files and folders are listed, sorted, three levels deep', async () => {
  const { listed } = tree('b', 'a/x/y/deep', 'a/c');
  expect(await listed({})).toEqual(['a/', 'a/c', 'a/x/', 'a/x/y/', 'b']);
  expect(await listed({ depth: 1 })).toEqual(['a/', 'b']);
  expect(await listed({ path: 'a/x', depth: 9 })).toEqual(['a/x/y/', 'a/x/y/deep']);
});

test('a pattern is for files alone, at any depth below the named folder', async () => {
  const { listed, folder } = tree('a/x/y/z/q.ts', 'a/b.ts', 'c.ts', 'd.js');
  expect(await listed({ pattern: '*.ts' })).toEqual(['a/b.ts', 'a/x/y/z/q.ts', 'c.ts']);
  expect(await listed({ pattern: '*/*.ts' })).toEqual(['a/b.ts']);
  expect(await listed({ path: 'a', pattern: './*.ts' })).toEqual(['a/b.ts']);
  expect(await listed({ path: join(folder, 'a'), pattern: 'x/**/*.ts' })).toEqual(['a/x/y/z/q.ts']);
});

test('what is not entered is reported, and links are shown as links', async () => {
  const { listed, folder, outside } = tree('node_modules/x', '.git/x', 'a');
  symlinkSync(outside, join(folder, 'link'));
  expect(await listed({})).toEqual(['a', 'link (a symbolic link; not followed)', '[not entered: .git, node_modules]']);
});

test('a name with a newline cannot look like two', async () => {
  expect(await tree('a\nb').listed({})).toEqual(['"a\\nb"']);
});

test('many are cut, and that is reported', async () => {
  const lines = await tree(...Array.from({ length: 1100 }, (_, i) => `f${i}`)).listed({});
  expect(lines).toHaveLength(1001);
  expect(lines.at(-1)).toMatch(/^\[1000 entries shown, and there are more/);
});

test.each(['..', '/', '.git', '../outside', 'link'])('%s is refused', async (path) => {
  const { call, folder, outside } = tree();
  symlinkSync(outside, join(folder, 'link'));
  expect(await call('list_files', { path })).toMatchObject({ refused: true });
});
