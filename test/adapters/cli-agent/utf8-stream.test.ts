import { startProgram } from '../../../activities/adapters/cli-agent/program';
import { outputLinesOf, wholeOutput } from '../../../activities/adapters/cli-agent/program-output';
import { asUtf8 } from '../../../activities/adapters/cli-agent/utf8-stream';
import { NOT_UTF8, UNMARKED_UTF16 } from '../../../plan/text/decode-text';

const TEXT = '{"said": "Größe 😀"}\r\n{"n": 2}\r\n';
const MARK = Buffer.from([0xff, 0xfe]);
const utf16 = Buffer.concat([MARK, Buffer.from(TEXT, 'utf16le')]);

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(bytes: Buffer, size: number): Promise<{ text: string; told: string[] }> {
  const told: string[] = [];
  const text = await wholeOutput(
    asUtf8(pieces(bytes, size), (problem) => told.push(problem)),
    () => undefined,
  );
  return { text, told };
}

describe.each([1, 3, 1000])('what a program prints, in pieces of %d bytes', (size) => {
  test.each<[what: string, bytes: Buffer, text: string, told: string[]]>([
    ['UTF-8', Buffer.from(TEXT), TEXT, []],
    ['nothing', Buffer.alloc(0), '', []],
    ['one byte', Buffer.from('a'), 'a', []],
    ['UTF-16 with a mark', utf16, TEXT, []],
    ['the same, the higher byte first', Buffer.from(utf16).swap16(), TEXT, []],
    [
      'Latin-1, which is said once',
      Buffer.from('Größe, Größe\nGröße', 'latin1'),
      'Gr\uFFFD\uFFFDe, Gr\uFFFD\uFFFDe\nGr\uFFFD\uFFFDe',
      [NOT_UTF8],
    ],
    ['a character that is cut off at the end', Buffer.from('caf\u00e9').subarray(0, 4), 'caf\uFFFD', [NOT_UTF8]],
  ])('is read: %s', async (_, bytes, text, told) => {
    expect(await read(bytes, size)).toEqual({ text, told });
  });
});

test('UTF-16 without a mark is said once, and kept', async () => {
  const bytes = Buffer.from('ok, ok', 'utf16le');
  expect(await read(bytes, 1000)).toEqual({ text: bytes.toString('utf8'), told: [UNMARKED_UTF16] });
});

test('lines of UTF-16 are lines', async () => {
  const lines: string[] = [];
  for await (const line of outputLinesOf(asUtf8(pieces(utf16, 5), () => undefined))) lines.push(line);
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual([{ said: 'Größe 😀' }, { n: 2 }]);
});

test('the log of a step says it once of a real program', async () => {
  const printed: string[] = [];
  const argv = [process.execPath, '-e', `process.stdout.write(Buffer.from('Gr\\u00f6\\u00dfe', 'latin1'))`];
  const onOutput = (stream: string, chunk: Buffer): void => void printed.push(`${stream} ${chunk.toString('latin1')}`);
  const program = startProgram({ argv, env: { PATH: process.env['PATH'] ?? '' }, stdin: '', onOutput }, new AbortController().signal);
  expect(await wholeOutput(program.output(), () => undefined)).toBe('Gr\uFFFD\uFFFDe');
  expect(printed.filter((line) => line === `note thermidor: the program's output ${NOT_UTF8}\n`)).toHaveLength(1);
  await program.end();
});
