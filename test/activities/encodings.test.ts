import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GroupProcessRunner } from '../../activities/adapters/processes/process-runner';
import { outputLines } from '../../activities/logs/output-lines';
import type { CommandRequest } from '../../activities/ports';
import { readText } from '../../activities/tools/files/file-text';
import { compilePipeline } from '../../compiler';
import { streamMask } from '../../plan/text/stream-masker';
import { FolderSources } from '../../worker/folder-sources';
import { readSourceFile } from '../../worker/source-file';
import { scratchFolder } from '../support/scratch-folder';

/** Text of Windows programs is UTF-16 with a byte order mark; text that is neither that nor UTF-8 is reported, once. */
const marked = (text: string): Buffer => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
const folder = (): string => scratchFolder();

async function run(bytes: Buffer, more: Partial<CommandRequest> = {}, shell = 'cat in') {
  const cwd = folder();
  writeFileSync(join(cwd, 'in'), bytes);
  const said: string[] = [];
  const onOutput = (stream: string, chunk: Buffer): void => {
    if (stream === 'note') said.push(chunk.toString());
  };
  const request: CommandRequest = { command: { shell }, env: {}, outputLimitBytes: 10_000, cwd, onOutput, ...more };
  return { ...(await new GroupProcessRunner().run(request, new AbortController().signal)), said };
}

test('stdout of a command in UTF-16 is read', async () => {
  expect(await run(marked('{"a": "ö"}'))).toMatchObject({ stdout: '{"a": "ö"}', said: [] });
  expect(await run(marked('{"a": "ö"}'), { cut: true })).toMatchObject({ stdout: '{"a": "ö"}' });
});

test('lines of a command in UTF-16 are passed on as they come', async () => {
  const passed: string[] = [];
  const onLines = async (lines: readonly string[]): Promise<void> => void passed.push(...lines);
  await run(
    marked('::item::{"id": "ö😀"}\n::item::{}\n'),
    { onLines },
    'while read -r n; do dd bs=1 count=$n status=none <&3; sleep 0.01; done <<E 3<in\n1\n2\n4\n25\n1\n900\nE',
  );
  expect(passed).toEqual(['::item::{"id": "ö😀"}', '::item::{}']);
});

test('stderr of a command that fails is read in UTF-16, its end as well', async () => {
  const failed = (text: string) => run(marked(text), {}, 'cat in >&2; exit 3').catch((error: unknown) => error);
  await expect(failed('Größe\n')).resolves.toMatchObject({ message: 'the command ended with exit code 3: Größe' });
  const long = await failed(`${'ö'.repeat(10_000)}end\n`);
  expect(long).toMatchObject({ details: { stderr: `${'ö'.repeat(8188)}end\n` } });
});

test('of long output in UTF-16 beginning and end are read', async () => {
  const { stdout } = await run(marked('ö'.repeat(10_000)), { cut: true, outputLimitBytes: 400 });
  expect(stdout).toMatch(/^ö{99}\n\[… 19602 bytes omitted …\]\nö{100}$/);
});

test('a step’s log has what is printed in UTF-16, without secrets', () => {
  const lines = outputLines(streamMask(['s3cret-value']));
  const bytes = marked('it is s3cret-value\r\nö😀');
  const pieces = [...bytes].flatMap((_, at) => lines.push(bytes.subarray(at, at + 1)));
  expect([...pieces, ...lines.end()]).toEqual([{ text: 'it is ***' }, { text: 'ö😀' }]);
});

test.each([
  ['Latin-1', Buffer.from('ö\nö\n', 'latin1'), 'is not UTF-8; each invalid byte is kept as U+FFFD'],
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
