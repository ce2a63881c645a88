import type { Readable } from 'node:stream';
import { decodePart, decodeText } from '../../plan/text/decode-text';
import type { Mask } from '../../plan/text/masker';
import { beginningOf, edgeBytes, endOf } from './cut-edge';

/** Reads all of a stream and keeps its two ends: half of the limit each. A note between them has the number of bytes left out. */
export function headTailBuffer(stream: Readable, limitBytes: number, mask?: Mask): () => string {
  const shown = Math.floor(limitBytes / 2);
  const half = shown + edgeBytes(mask);
  const beginning: Buffer[] = [];
  let end: Buffer[] = [];
  let [beginningBytes, endBytes, leftOut] = [0, 0, 0];

  stream.on('data', (chunk: Buffer) => {
    const first = chunk.subarray(0, half - beginningBytes);
    if (first.byteLength > 0) beginning.push(first);
    beginningBytes += first.byteLength;
    const rest = chunk.subarray(first.byteLength);
    if (rest.byteLength === 0) return;
    end.push(rest);
    endBytes += rest.byteLength;
    // Not at each chunk: many small ones would be copied again and again.
    if (endBytes > 2 * half) trim();
  });

  function trim(): void {
    const whole = Buffer.concat(end);
    const kept = Buffer.from(whole.subarray(Math.max(0, whole.byteLength - half)));
    leftOut += whole.byteLength - kept.byteLength;
    end = [kept];
    endBytes = kept.byteLength;
  }

  return () => {
    trim();
    const [first, last] = [Buffer.concat(beginning), Buffer.concat(end)];
    if (leftOut === 0) return decodeText(Buffer.concat([first, last])).text;
    const [head, tail] = [
      decodePart(first, { beginning: first, offset: 0 }),
      decodePart(last, { beginning: first, offset: beginningBytes + leftOut }),
    ];
    const ends = [beginningOf(head, mask, shown), endOf(tail, mask, shown)];
    const left = mask ? first.byteLength + last.byteLength - Buffer.byteLength(ends.join('')) : 0;
    return ends.join(`\n[… ${leftOut + Math.max(0, left)} bytes omitted …]\n`);
  };
}
