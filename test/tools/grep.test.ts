import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ThreadLineSearch } from '../../activities/adapters/threads/line-search';
import type { LineSearch, OpenSearch } from '../../activities/tool-ports';
import { FILE_BYTES } from '../../activities/tools/files/file-text';
import type { JsonObject } from '../../plan/text/json';
import { ALARMS, ring, standStill } from '../support/fake-timers';
import { type ToolBench, toolBench } from './tool-use';

function tree(files: Record<string, string | Buffer>, bench = toolBench()): ToolBench & { found: (args: JsonObject) => Promise<string[]> } {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(bench.folder, path, '..'), { recursive: true });
    writeFileSync(join(bench.folder, path), content);
  }
  return { ...bench, found: async (args) => (await bench.call('grep', args)).text.split('\n') };
}

test('lines that match are reported with path and number, in order', async () => {
  const { found } = tree({ 'b.ts': 'x\nfoo1\n', 'a/c.ts': 'foo2\r\nfoo3', 'a/d.md': 'bar' });
  expect(await found({ pattern: 'fo+\\d$' })).toEqual(['a/c.ts:1:foo2', 'a/c.ts:2:foo3', 'b.ts:2:foo1']);
  expect(await found({ pattern: 'foo', path: 'a' })).toEqual(['a/c.ts:1:foo2', 'a/c.ts:2:foo3']);
  expect(await found({ pattern: 'foo', path: 'b.ts' })).toEqual(['b.ts:2:foo1']);
  expect(await found({ pattern: 'o', glob: '*.md' })).toEqual(['[no line matches in 1 files]']);
});

test.each([[{ pattern: 'FOO', ignore_case: true }], [{ pattern: '(?i)FOO' }]])(
  'case is passed over where that is asked for',
  async (args) => {
    expect(await tree({ a: 'foo' }).found(args)).toEqual(['a:1:foo']);
  },
);

test('lines next to them are reported, groups apart', async () => {
  const { found } = tree({ a: '1\n2\nhit\n4\n5\n6\n7\nhit\nhit\n' });
  expect(await found({ pattern: 'hit', context: 1 })).toEqual(['a-2-2', 'a:3:hit', 'a-4-4', '--', 'a-7-7', 'a:8:hit', 'a:9:hit']);
});

test('what is not searched is reported', async () => {
  const { found, folder, outside } = tree({
    ...{ 'node_modules/x': 'foo', '.git/x': 'foo', bin: Buffer.from('foo\0') },
    large: Buffer.alloc(FILE_BYTES + 1, 'foo'),
  });
  writeFileSync(join(outside, 'secret'), 'foo');
  symlinkSync(outside, join(folder, 'link'));
  expect(await found({ pattern: 'foo' })).toEqual([
    '[no line matches in 0 files]',
    '[1 files are not text or cannot be read]',
    `[over ${FILE_BYTES} bytes and not searched: large]`,
    '[not searched: .git, node_modules]',
  ]);
});

test('a name cannot look like a match', async () => {
  expect(await tree({ 'a\nb.ts:1:fake': 'foo' }).found({ pattern: 'foo' })).toEqual(['"a\\nb.ts:1:fake":1:foo']);
});

test('no more than a number of matches, and long lines around what matches alone', async () => {
  const { found } = tree({ a: 'foo\n'.repeat(500), b: `${'x'.repeat(10_000)}NEEDLE${'y'.repeat(10_000)}` });
  const lines = await found({ pattern: 'foo' });
  expect(lines.filter((line) => line.startsWith('a:'))).toHaveLength(200);
  expect(lines.at(-1)).toMatch(/^\[stopped after 200/);
  const [line = ''] = await found({ pattern: 'NEEDLE' });
  expect(line).toContain('NEEDLE');
  expect(line.length).toBeLessThan(600);
});

test.each([['('], ['x'.repeat(1001)], ['a{2,1}']])('%p is refused', async (pattern) => {
  expect(await tree({}).call('grep', { pattern })).toMatchObject({ refused: true });
});

test.each([['../outside'], ['/etc'], ['.git']])('%s is refused', async (path) => {
  expect(await tree({}).call('grep', { pattern: 'x', path })).toMatchObject({ refused: true });
});

test('an expression that takes for ever is stopped, the worker goes on meanwhile, and what was found is reported', async () => {
  const search = new ThreadLineSearch(15_000);
  const endless = `${'a'.repeat(60)}b`;
  let begun: () => void = () => undefined;
  const inIt = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const watched: LineSearch = {
    open(...args) {
      const opened = search.open(...args);
      const lines: OpenSearch['lines'] = (text, options) => {
        if (text === endless) begun();
        return opened.lines(text, options);
      };
      return { ...opened, lines };
    },
  };
  const { found } = tree({ a: 'aaa', b: endless, c: 'aaa' }, toolBench({ lines: watched }));
  standStill(...ALARMS);
  const said = found({ pattern: '^(a+)+$' });
  await inIt;
  // If this thread did the search, there would be no next turn.
  await new Promise(setImmediate);
  await ring(15_000);
  const lines = await said;
  jest.useRealTimers();
  expect(lines[0]).toBe('a:1:aaa');
  expect(lines.at(-1)).toMatch(/^\[the search took too long/);
});

test('searches at once take turns, and one that is aborted while it waits or works leaves the others their place', async () => {
  const bench = toolBench({ lines: new ThreadLineSearch(60_000) });
  const { call, found } = tree({ a: `${'a'.repeat(60)}b` }, bench);
  const stop = new AbortController();
  const endless = [1, 2, 3, 4].map(() => call('grep', { pattern: '^(a+)+$' }, { signal: stop.signal }));
  const last = found({ pattern: 'b$' });
  setImmediate(() => stop.abort(new Error('stopped')));
  expect((await Promise.allSettled(endless)).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'rejected']);
  expect(await last).toEqual([`a:1:${'a'.repeat(60)}b`]);
});
