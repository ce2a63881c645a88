import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkFolders } from '../../activities/tool-ports';
import { FILE_BYTES } from '../../activities/tools/files/file-text';
import { type ToolBench, toolBench } from './tool-use';

function withFile(content: string | Buffer): ToolBench & { content: () => string } {
  const bench = toolBench();
  writeFileSync(join(bench.folder, 'a'), content);
  return { ...bench, content: () => readFileSync(join(bench.folder, 'a'), 'utf8') };
}

test('a file is written as it is given, and again for the same call', async () => {
  const { folder, call } = toolBench();
  const args = { path: 'x/a.txt', content: 'é\n' };
  const first = await call('write_file', args);
  expect(await call('write_file', args)).toEqual(first);
  expect(readFileSync(join(folder, 'x/a.txt'), 'utf8')).toBe('é\n');
});

test('a file over the limit is not written', async () => {
  const { call } = toolBench();
  expect(await call('write_file', { path: 'a', content: 'é'.repeat(FILE_BYTES / 2 + 1) })).toMatchObject({ refused: true });
});

test('a passage that occurs once is replaced, and the reply says where', async () => {
  const { call, content } = withFile('one\ntwo\nthree\n');
  expect(await call('edit_file', { path: 'a', old: 'two', new: '2' })).toEqual({ text: 'replaced it once in a, in line 2' });
  expect(content()).toBe('one\n2\nthree\n');
});

test('a passage that occurs more often is refused with its lines, and replaced everywhere if that is asked for', async () => {
  const { call, content } = withFile('x\ny\nx\nx');
  const refused = await call('edit_file', { path: 'a', old: 'x', new: 'z' });
  expect(refused).toMatchObject({ refused: true });
  expect(refused.text).toMatch(/3 times in a, in line 1, 3, 4/);
  expect(content()).toBe('x\ny\nx\nx');
  expect(await call('edit_file', { path: 'a', old: 'x', new: 'z', all: true })).toEqual({
    text: 'replaced it 3 times in a, in line 1, 3, 4',
  });
  expect(content()).toBe('z\ny\nz\nz');
});

test.each<[string, string | Buffer, object]>([
  ['does not stand there', 'one', { old: 'two', new: '2' }],
  ['is what it is to become', 'one', { old: 'one', new: 'one' }],
  ['is half of a character', '😀', { old: '\ud83d', new: 'x' }],
  ['stands there too often for one call', 'x'.repeat(20_000), { old: 'x', new: 'y', all: true }],
  // The new text would have 4 GB, so its size must be computed before it is made.
  ['would make the file too large', 'x'.repeat(9000), { old: 'x', new: 'y'.repeat(500_000), all: true }],
  ['is in a file that is no text', Buffer.from([0x61, 0]), { old: 'a', new: 'b' }],
  ['is in a file that is no UTF-8', Buffer.from([0x61, 0xff]), { old: 'a', new: 'b' }],
])('one that %s is refused', async (_, before, args) => {
  const { call, folder } = withFile(before);
  expect(await call('edit_file', { path: 'a', ...args } as Record<string, string>)).toMatchObject({ refused: true });
  expect(readFileSync(join(folder, 'a'))).toEqual(Buffer.from(before));
});

test('nothing in the new text has a meaning of its own', async () => {
  const { call, content } = withFile('a');
  await call('edit_file', { path: 'a', old: 'a', new: "$& $1 $` $'" });
  expect(content()).toBe("$& $1 $` $'");
});

test('plain newlines find those of a file with CRLF, and become such', async () => {
  const { call, content } = withFile('one\r\ntwo\r\nthree\r\n');
  await call('edit_file', { path: 'a', old: 'one\ntwo', new: '1\n2' });
  expect(content()).toBe('1\r\n2\r\nthree\r\n');
});

describe('the same call again', () => {
  // The new text contains the old one, so the content alone does not tell whether the edit was made.
  const args = { path: 'a', old: 'one', new: 'one and one' };

  test('after a crash after the write changes nothing and answers as before', async () => {
    const { call, content } = withFile('one');
    const first = await call('edit_file', args);
    expect(await call('edit_file', args)).toEqual(first);
    expect(content()).toBe('one and one');
  });

  test('after a crash before the write does it', async () => {
    const { call, content, use } = withFile('one');
    const files = use.toolbox.toolPorts?.files;
    const dying = { read: files?.read.bind(files), write: () => Promise.reject(new Error('killed')) } as unknown as WorkFolders;
    const toolPorts = { ...use.toolbox.toolPorts, files: dying } as NonNullable<typeof use.toolbox.toolPorts>;
    await expect(call('edit_file', args, { toolbox: { ...use.toolbox, toolPorts } })).rejects.toThrow('killed');
    expect(content()).toBe('one');
    await call('edit_file', args);
    expect(content()).toBe('one and one');
  });

  test('another call is another edit', async () => {
    const { call, content } = withFile('a');
    await call('edit_file', { path: 'a', old: 'a', new: 'ab' });
    await call('edit_file', { path: 'a', old: 'a', new: 'ab' }, { idempotencyKey: 'another' });
    expect(content()).toBe('abb');
  });
});

test('a file in UTF-16 is read, and no edit makes it another', async () => {
  const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('one\n', 'utf16le')]);
  const { folder, call } = withFile(bytes);
  expect((await call('read_file', { path: 'a' })).text).toContain('one');
  expect(await call('edit_file', { path: 'a', old: 'one', new: '1' })).toMatchObject({
    refused: true,
    text: expect.stringContaining('UTF-16'),
  });
  expect(readFileSync(join(folder, 'a'))).toEqual(bytes);
});
