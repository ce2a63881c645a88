import { parseLine } from '../../logs/line-text';
import type { LogEntry } from '../../step-logs';
import { closeSegments, type LogSegment, openSegments } from './segments';

const READ_BYTES = 256 * 1024;
const NEWLINE = 0x0a;

/** Whole lines of a log from a position on. The text after the last line break is still being written. */
export async function* readLog(path: string, from = 0): AsyncGenerator<LogEntry> {
  const segments = await openSegments(path);
  try {
    let position = from;
    for (const segment of segments) {
      if (segment.start > position) {
        yield { kind: 'gap', bytes: segment.start - position, next: segment.start };
        position = segment.start;
      }
      for await (const [line, next] of linesOf(segment, position)) {
        position = next;
        const parsed = parseLine(line);
        if (parsed) yield { kind: 'line', next, ...parsed };
      }
    }
  } finally {
    await closeSegments(segments);
  }
}

/** Each line with the position after it. */
async function* linesOf({ handle, start, skip }: LogSegment, from: number): AsyncGenerator<[string, number]> {
  let position = from;
  let held = Buffer.alloc(0);
  const buffer = Buffer.alloc(READ_BYTES);
  for (let at = skip + from - start; ; ) {
    const { bytesRead } = await handle.read(buffer, 0, READ_BYTES, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    held = Buffer.concat([held, buffer.subarray(0, bytesRead)]);
    let begin = 0;
    for (let end = held.indexOf(NEWLINE); end >= 0; end = held.indexOf(NEWLINE, begin)) {
      position += end + 1 - begin;
      yield [held.toString('utf8', begin, end), position];
      begin = end + 1;
    }
    held = held.subarray(begin);
  }
}
