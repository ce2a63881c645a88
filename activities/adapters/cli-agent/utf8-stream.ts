import { looksLikeUtf16, NOT_UTF8, UNMARKED_UTF16, utf16Of } from '../../../plan/text/decode-text';

/**
 * A program's output as UTF-8: UTF-16 with a byte order mark is decoded, everything else stays unchanged. `tell` gets the problem, as the
 * end of a sentence, once.
 */
export async function* asUtf8(chunks: AsyncIterable<Buffer>, tell: (problem: string) => void): AsyncGenerator<Buffer> {
  const source = chunks[Symbol.asyncIterator]();
  try {
    const begin = await beginningOf(source);
    const encoding = utf16Of(begin);
    if (encoding !== undefined) {
      const decoder = new TextDecoder(encoding);
      for await (const chunk of joined(begin, source)) yield Buffer.from(decoder.decode(chunk, { stream: true }));
      yield Buffer.from(decoder.decode());
      return;
    }
    let isTold = looksLikeUtf16(begin);
    if (isTold) tell(UNMARKED_UTF16);
    const check = utf8Check();
    for await (const chunk of joined(begin, source)) {
      if (!isTold && !check(chunk)) {
        isTold = true;
        tell(NOT_UTF8);
      }
      yield chunk;
    }
    if (!isTold && !check(undefined)) tell(NOT_UTF8);
  } finally {
    await source.return?.();
  }
}

/** The first chunks, until a byte order mark would be in them. */
async function beginningOf(source: AsyncIterator<Buffer>): Promise<Buffer> {
  let begin: Buffer = Buffer.alloc(0);
  while (begin.byteLength < MARK_BYTES) {
    const next = await source.next();
    if (next.done) break;
    begin = Buffer.concat([begin, next.value]);
  }
  return begin;
}
const MARK_BYTES = 4;

async function* joined(begin: Buffer, source: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  if (begin.byteLength > 0) yield begin;
  for (let next = await source.next(); !next.done; next = await source.next()) yield next.value;
}

/** Whether everything so far is UTF-8; a character may span two pieces, and none is incomplete at the end. */
function utf8Check(): (chunk: Buffer | undefined) => boolean {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return (chunk) => {
    try {
      decoder.decode(chunk, { stream: chunk !== undefined });
      return true;
    } catch {
      return false;
    }
  };
}
