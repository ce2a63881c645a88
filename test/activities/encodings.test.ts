import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GroupProcessRunner } from '../../activities/adapters/processes/process-runner';
import type { CommandRequest } from '../../activities/ports';
import { readText } from '../../activities/tools/files/file-text';
import { compilePipeline } from '../../compiler';
import { FolderSources } from '../../worker/folder-sources';
import { readSourceFile } from '../../worker/source-file';

/** Text of Windows programs is UTF-16 with a mark; what is neither that nor UTF-8 is said, once. */
const marked = (text: string): Buffer => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
const folder = (): string => mkdtempSync(join(tmpdir(), 'thermidor-encodings-'));

async function run(bytes: Buffer, more: Partial<CommandRequest> = {}, shell = 'cat in') {
  const cwd = folder();
  writeFileSync(join(cwd, 'in'), bytes);
  const said: string[] = [];
  const onOutput = (stream: string, chunk: Buffer): void => {
    if (stream === 'stderr') said.push(chunk.toString());
  };
  const request: CommandRequest = { command: { shell }, env: {}, outputLimitBytes: 10_000, cwd, onOutput, ...more };
  return { ...(await new GroupProcessRunner().run(request, new AbortController().signal)), said };
}

test('stdout of a command in UTF-16 is read', async () => {
  expect(await run(marked('{"a": "ö"}'))).toMatchObject({ stdout: '{"a": "ö"}', said: [] });
  expect(await run(marked('{"a": "ö"}'), { cut: true })).toMatchObject({ stdout: '{"a": "ö"}' });
});

test.each([
  ['Latin-1', Buffer.from('ö\nö\n', 'latin1'), 'is not UTF-8; each byte that is none is kept as U+FFFD'],
  [
    'UTF-16 without a mark',
    Buffer.from('ok\r\n', 'utf16le'),
    'is not UTF-8: it looks like UTF-16 without a byte order mark, and is kept as it is',
  ],
])('what is %s is said once, of stdout and of a file', async (_, bytes, problem) => {
  expect((await run(bytes)).said).toEqual([`thermidor: stdout ${problem}\n`]);
  expect((await run(bytes, { writes: 'out' }, 'cp in out')).said).toEqual([`thermidor: out ${problem}\n`]);
});

test('a file that a command writes in UTF-16 is read', async () => {
  expect(await run(marked('<testsuite/>'), { writes: 'out' }, 'cp in out')).toMatchObject({ written: '<testsuite/>', said: [] });
});

test('an agent reads a file in UTF-16; one without a mark is no text', () => {
  expect(readText(marked('ö'))).toEqual({ text: 'ö', isBroken: false, isUtf16: true });
  expect(readText(Buffer.from('ok', 'utf16le'))).toBeUndefined();
});

test('a pipeline and the files that it names may be UTF-16; without a mark that is a mistake', () => {
  const at = folder();
  const pipeline = join(at, 'p.yaml');
  const compiled = (bytes: Buffer) => {
    writeFileSync(pipeline, bytes);
    return compilePipeline(pipeline, readSourceFile(pipeline), new FolderSources(at)).diagnostics.map(({ code }) => code);
  };
  writeFileSync(join(at, 'a.schema.json'), marked('{"type": "object"}'));
  const text = 'name: p\nschemas: {A.json: a.schema.json}\nsteps: [{id: a, run: "echo {}", output: A.json}]\n';
  expect(compiled(marked(text))).toEqual([]);
  expect(compiled(Buffer.from(text, 'utf16le'))).toEqual(['yaml.control-character']);
  expect(compiled(Buffer.from(text.replace('echo', 'echo ö'), 'latin1'))).toEqual(['yaml.bad-encoding']);
});
