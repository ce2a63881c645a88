import type { Endpoint } from '../../../activities/adapters/model/endpoint';
import { ANSWER_BYTES, ANSWER_MS, PIECE_CHARACTERS, type Piece, responsePieces } from '../../../activities/adapters/model/response-stream';

/** The events in the bytes of an answer, wherever the bytes are cut. */
const ENDPOINT: Endpoint = { name: 'local', baseUrl: 'http://127.0.0.1:1', headers: {}, hide: (text) => text };
const STREAM = 'text/event-stream';

afterEach(() => jest.restoreAllMocks());

async function pieces(chunks: Iterable<string | Uint8Array>, type: string | null = STREAM, alive = () => {}): Promise<Piece[]> {
  const body = Array.from(chunks, (chunk) => Buffer.from(chunk));
  return await read(new Response(each(body), type === null ? {} : { headers: { 'content-type': type } }), alive);
}

async function read(response: Response, alive = () => {}): Promise<Piece[]> {
  const found: Piece[] = [];
  for await (const piece of responsePieces({ endpoint: ENDPOINT, response, alive })) found.push(piece);
  return found;
}

async function* each(chunks: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

const event = (text: string) => ({ text, whole: false });

test('a character that is cut in two is one', async () => {
  const bytes = Buffer.from('data: "ä🦞é"\n\n');
  expect(await pieces(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual([event('"ä🦞é"')]);
});

test('a character that never ends is a mark in its place', async () => {
  expect(await pieces([Buffer.from('data: "a'), Uint8Array.of(0xf0, 0x9f), Buffer.from('b"\n\n')])).toEqual([event('"a\ufffdb"')]);
  expect(await pieces([Buffer.from('{"a":"'), Uint8Array.of(0xc3)], null)).toEqual([{ text: '{"a":"\ufffd', whole: true }]);
});

test.each([
  ['by its name alone', 'event: x\ndata: 1\n\n'],
  ['behind a mark of its order of bytes', '\ufeffdata: 1\n\n'],
  ['with other ends of lines', 'data: 1\r\n\r\n'],
  ['between comments', ': waiting\n\ndata: 1\n\n: waiting\n\n'],
  ['without an end of its line', 'data: 1'],
])('an event is read %s', async (_how, text) => {
  expect(await pieces([text])).toEqual([event('1')]);
});

test('a stream is one even if it is called so in capitals, or not called anything', async () => {
  for (const type of ['TEXT/EVENT-STREAM; charset=utf-8', 'text/plain', null])
    expect(await pieces(['data: 1\n\n'], type)).toEqual([event('1')]);
});

test('a document is one piece', async () => {
  expect(await pieces(['{"a"', ':1}'], 'application/json')).toEqual([{ text: '{"a":1}', whole: true }]);
});

test.each([
  ['<!doctype html>', 'HTML'],
  ['hello', 'not JSON'],
  [undefined, 'not JSON'],
])('%j is no API, whatever it is called', async (text, said) => {
  for (const type of ['application/json', 'text/html', null])
    await expect(pieces(text === undefined ? [] : [text], type)).rejects.toMatchObject({
      code: 'model.bad-request',
      message: expect.stringContaining(said),
    });
});

test('whatever comes is a sign of life', async () => {
  let signs = 0;
  await pieces([': a\n', ': b\n', 'data: 1\n\n'], STREAM, () => signs++);
  expect(signs).toBe(3);
});

describe('an answer that never ends', () => {
  function* endlessly(first: string, again: string): Generator<string> {
    yield first;
    for (;;) yield again;
  }

  test.each([
    ['in one line', STREAM, 'data: '.padEnd(100_000, 'x'), 'x'.repeat(100_000)],
    ['in lines of one event', STREAM, 'data: 1\n', `data: ${'x'.repeat(100_000)}\n`],
    ['in a document', 'application/json', '{', ' '.repeat(100_000)],
  ])('%s is not read to more than a piece may have', async (_how, type, first, again) => {
    let readBytes = 0;
    const counted = function* () {
      for (const chunk of endlessly(first, again)) {
        readBytes += chunk.length;
        yield Buffer.from(chunk);
      }
    };
    const response = new Response(each(counted()), { headers: { 'content-type': type } });
    await expect(read(response)).rejects.toMatchObject({ code: 'output.too-large', message: expect.stringContaining('"local"') });
    expect(readBytes).toBeLessThan(PIECE_CHARACTERS + 1_000_000);
  });

  test('in what is not a piece at all ends if no answer is as long', async () => {
    const comment = Buffer.alloc(16 * 1024 * 1024, `: ${'waiting'.repeat(10_000)}\n`);
    let readBytes = 0;
    const counted = function* () {
      for (;;) {
        readBytes += comment.length;
        yield comment;
      }
    };
    await expect(read(new Response(each(counted()), { headers: { 'content-type': STREAM } }))).rejects.toMatchObject({
      code: 'output.too-large',
    });
    expect(readBytes).toBeLessThan(ANSWER_BYTES + 2 * comment.length);
  });

  test('but goes on giving signs of life ends after hours', async () => {
    const now = jest.spyOn(Date, 'now').mockReturnValue(0);
    let drops = 0;
    const dripping = function* () {
      for (;;) {
        now.mockReturnValue(ANSWER_MS * drops++);
        yield Buffer.from(': waiting\n');
      }
    };
    await expect(read(new Response(each(dripping()), { headers: { 'content-type': STREAM } }))).rejects.toThrow(`${ANSWER_MS} ms`);
    expect(drops).toBe(3);
  });
});
