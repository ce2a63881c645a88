import { ThermidorFailure } from '../../../plan/run/failure';
import type { Json } from '../../../plan/text/json';
import { parseUntrustedJson } from '../../../plan/text/untrusted-json';

/** The output of a program, from bytes to lines or to the whole of it. Invalid UTF-8 becomes U+FFFD; memory stays within the limits. */

/** The limit of one line, and of a reply that is no stream. */
const REPLY_BYTES = 1024 * 1024;

const NEWLINE = 0x0a;

/** Lines without their ends, including an unterminated last one. Fails with `output.too-large`. */
export async function* outputLinesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let held: Buffer[] = [];
  let sizeBytes = 0;
  const take = (): string => {
    const line = textOf(Buffer.concat(held));
    held = [];
    sizeBytes = 0;
    return line.endsWith('\r') ? line.slice(0, -1) : line;
  };
  const hold = (piece: Buffer): void => {
    sizeBytes += piece.byteLength;
    if (sizeBytes > REPLY_BYTES) throw programOutputTooLarge('a line', REPLY_BYTES);
    held.push(piece);
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      hold(chunk.subarray(from, at));
      from = at + 1;
      yield take();
    }
    hold(chunk.subarray(from));
  }
  if (sizeBytes > 0) yield take();
}

/** Fails with `output.too-large`. */
export async function wholeOutput(chunks: AsyncIterable<Buffer>, onOutput: () => void): Promise<string> {
  const held: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of chunks) {
    onOutput();
    sizeBytes += chunk.byteLength;
    if (sizeBytes > REPLY_BYTES) throw programOutputTooLarge('a reply', REPLY_BYTES);
    held.push(chunk);
  }
  return textOf(Buffer.concat(held));
}

/** Undefined if it is not JSON. */
export function parseOutput(text: string): Json | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  return parseUntrustedJson(trimmed);
}

/** How many places a document may begin at are tried, and how much text in all. */
const MOST_STARTS = 100;
const TRIED_CHARACTERS = 4 * REPLY_BYTES;

/**
 * The JSON document at the end of a program's output: all of it, else one that begins on a line of its own, else the last line that is one.
 */
export function lastJsonDocument(text: string): Json | undefined {
  const whole = parseOutput(text);
  if (whole !== undefined) return whole;
  const lines = text.split('\n');
  const starts = lines.flatMap((line, n) => (/^[{[]/.test(line) ? [n] : [])).slice(0, MOST_STARTS);
  let tried = 0;
  for (const start of starts) {
    const rest = lines.slice(start).join('\n');
    const value = parseOutput(rest);
    if (value !== undefined) return value;
    tried += rest.length;
    if (tried > TRIED_CHARACTERS) break;
  }
  return lines
    .slice(-MOST_STARTS)
    .map(parseOutput)
    .findLast((value) => value !== undefined);
}

export function programOutputTooLarge(what: string, limitBytes: number): ThermidorFailure {
  return new ThermidorFailure('output.too-large', `the agent's program put out ${what} of more than ${limitBytes} bytes`, { limitBytes });
}

function textOf(bytes: Buffer): string {
  return new TextDecoder().decode(bytes);
}
