import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FILE_BYTES } from '../../activities/tools/files/file-text';
import { RESULT_CHARACTERS } from '../../activities/tools/truncate-result';
import { codeOf } from '../activities/workshop';
import { toolBench } from './tool-use';

async function shown(content: string | Buffer, more: { offset?: number; limit?: number } = {}): Promise<string> {
  const { folder, call } = toolBench();
  writeFileSync(join(folder, 'a.txt'), content);
  return (await call('read_file', { path: 'a.txt', ...more })).text;
}

test('lines are numbered, and a newline at the end begins no other', async () => {
  expect(await shown('one\ntwo\n')).toBe('1\tone\n2\ttwo');
});

test('a part is shown with where to go on', async () => {
  const text = await shown('a\nb\nc\nd\n', { offset: 2, limit: 2 });
  expect(text).toBe('2\tb\n3\tc\n[lines 2 to 3 of 4; continue with offset 4]');
});

test('following the notes leads through the whole of a file, whatever its size', async () => {
  const { folder, call } = toolBench();
  const lines = Array.from({ length: 5000 }, (_, i) => `line ${i} ${'x'.repeat(i % 90)}`);
  writeFileSync(join(folder, 'a'), lines.join('\n'));
  const read: string[] = [];
  for (let offset: number | undefined = 1; offset !== undefined; ) {
    const { text } = await call('read_file', { path: 'a', offset });
    expect(text.length).toBeLessThan(RESULT_CHARACTERS + 200);
    read.push(...text.split('\n').flatMap((line) => /^\d+\t(.*)$/.exec(line)?.[1] ?? []));
    const next = /continue with offset (\d+)/.exec(text)?.[1];
    offset = next === undefined ? undefined : Number(next);
  }
  expect(read).toEqual(lines);
});

test('a long line is cut, and how much of it is reported', async () => {
  const text = await shown('x'.repeat(100_000));
  expect(text).toMatch(/^1\tx{2000} … \[98000 more characters in this line\]$/);
});

test.each<[string, string | Buffer, { offset?: number }, RegExp]>([
  ['an empty file', '', {}, /^\[the file is empty\]$/],
  ['an offset behind the end', 'a\nb', { offset: 3 }, /^\[the file has 2 lines\]$/],
  ['bytes that are no UTF-8', Buffer.from([0x61, 0xff, 0x62]), {}, /^1\ta\ufffdb\n\[some bytes/],
  ['lines that end in CRLF', 'a\r\nb\r\n', {}, /^1\ta\n2\tb\n\[lines end in CRLF\]$/],
])('%s is reported', async (_, content, more, expected) => {
  expect(await shown(content, more)).toMatch(expected);
});

test('what is not text is refused, and what is too large is reported', async () => {
  const { folder, call } = toolBench();
  writeFileSync(join(folder, 'image'), Buffer.from([0x89, 0x50, 0, 1]));
  writeFileSync(join(folder, 'large'), Buffer.alloc(FILE_BYTES + 1, 0x61));
  mkdirSync(join(folder, 'folder'));
  expect(await call('read_file', { path: 'image' })).toMatchObject({ refused: true });
  expect(await call('read_file', { path: 'folder' })).toMatchObject({ refused: true });
  expect(await call('read_file', { path: '../outside/x' })).toMatchObject({ refused: true });
  expect(await codeOf(call('read_file', { path: 'large' }))).toBe('tool.failed');
});

test('if a worker lets nobody out, that is reported', async () => {
  const { call, use } = toolBench();
  const { toolPorts: _, ...toolbox } = use.toolbox;
  expect(await codeOf(call('read_file', { path: 'a' }, { toolbox }))).toBe('tool.failed');
});
