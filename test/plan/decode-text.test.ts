import { streamDecoder } from '../../plan/text/decode-stream';
import { BROKEN_UTF16, decodeText, NOT_UTF8, UNMARKED_UTF16 } from '../../plan/text/decode-text';

const TEXT = 'Größe: 5\r\n{"a": "😀"}';
const little = Buffer.from(TEXT, 'utf16le');
const big = Buffer.from(little).swap16();
const unmarked = Buffer.from('abc\r\n😀', 'utf16le');

const CASES: [what: string, bytes: Buffer, text: string, problem?: string][] = [
  ['UTF-8', Buffer.from(TEXT), TEXT],
  ['UTF-8 with a mark, which stays', Buffer.from(`\uFEFF${TEXT}`), `\uFEFF${TEXT}`],
  ['nothing', Buffer.alloc(0), ''],
  ['UTF-16, the lower byte first', Buffer.concat([Buffer.from([0xff, 0xfe]), little]), TEXT],
  ['UTF-16, the higher byte first', Buffer.concat([Buffer.from([0xfe, 0xff]), big]), TEXT],
  ['a mark alone', Buffer.from([0xff, 0xfe]), ''],
  [
    'UTF-16 that ends amid a character',
    Buffer.concat([Buffer.from([0xff, 0xfe]), little, Buffer.from([1])]),
    `${TEXT}\uFFFD`,
    BROKEN_UTF16,
  ],
  ['UTF-16 without a mark', unmarked, unmarked.toString('utf8'), UNMARKED_UTF16],
  ['the same, the higher byte first', Buffer.from('ab', 'utf16le').swap16(), '\0a\0b', UNMARKED_UTF16],
  ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 65, 0, 0, 0]), '\uFFFD\uFFFD\0\0A\0\0\0', NOT_UTF8],
  ['Latin-1', Buffer.from('Größe', 'latin1'), 'Gr\uFFFD\uFFFDe', NOT_UTF8],
  ['UTF-8 with a NUL', Buffer.from('a\0bcdefgh'), 'a\0bcdefgh'],
];

test.each(CASES.map(([what, bytes, text, problem]) => ({ what, bytes, text, problem })))('$what', ({ bytes, text, problem }) => {
  const read = decodeText(bytes);
  expect(read.text).toBe(text);
  expect(read.problem).toBe(problem);
});

test.each(CASES.map(([what, bytes]) => ({ what, bytes })))('the same as its bytes come one by one, or in pieces: $what', ({ bytes }) => {
  for (const size of [1, 2, 3, 5, 100]) {
    const decoder = streamDecoder();
    let text = '';
    for (let at = 0; at < bytes.length; at += size) text += decoder.write(bytes.subarray(at, at + size));
    expect(text + decoder.end()).toBe(decodeText(bytes).text);
  }
});
