import { type FileHandle, open } from 'node:fs/promises';
import { lineText, parseLine } from '../../logs/line-text';
import { unlessGone } from '../durable-file';

/**
 * A log's files: `NAME.log` has its beginning, `NAME.log.1` and `NAME.log.2` its end, once it is longer than the beginning may be. When
 * `.2` is full it becomes `.1`, and the old `.1` is dropped: so nothing is ever written twice.
 *
 * Positions count the bytes of all lines that the log ever had. The first line of `.1` and `.2` says at which position they begin, and does
 * not count itself.
 */
export interface LogSegment {
  path: string;
  handle: FileHandle;
  /** The position of its first byte after `skip`. */
  start: number;
  skip: number;
  sizeBytes: number;
}

const POSITION = /^from byte (\d+) of the log$/;
const FIRST_LINE_BYTES = 100;

export function segmentPaths(head: string): { head: string; older: string; newer: string } {
  return { head, older: `${head}.1`, newer: `${head}.2` };
}

export function positionLine(at: string, position: number): string {
  return lineText({ at, from: 'note', text: `from byte ${position} of the log` });
}

export function endOf({ start, skip, sizeBytes }: LogSegment): number {
  return start + sizeBytes - skip;
}

/** The existing ones, in order. The caller closes them. A file that is rotated meanwhile is reported once. */
export async function openSegments(path: string): Promise<LogSegment[]> {
  const { head, older, newer } = segmentPaths(path);
  const found: LogSegment[] = [];
  // The newest first: one that is renamed between two of these is then seen twice, and not missed.
  try {
    for (const one of [newer, older, head]) {
      const segment = await openSegment(one, one === head);
      if (segment && !found.some(({ start }) => start === segment.start)) found.unshift(segment);
      else await segment?.handle.close();
    }
  } catch (error) {
    await closeSegments(found);
    throw error;
  }
  return found.sort((a, b) => a.start - b.start);
}

export async function closeSegments(segments: readonly LogSegment[]): Promise<void> {
  await Promise.all(segments.map(({ handle }) => handle.close()));
}

async function openSegment(path: string, isHead: boolean): Promise<LogSegment | undefined> {
  const handle = await unlessGone(() => open(path, 'r'));
  if (!handle) return undefined;
  try {
    const segment = await readSegment(path, handle, isHead);
    if (!segment) await handle.close();
    return segment;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Undefined if it was just created, and its first line is still to come. */
async function readSegment(path: string, handle: FileHandle, isHead: boolean): Promise<LogSegment | undefined> {
  const { size: sizeBytes } = await handle.stat();
  if (isHead) return { path, handle, start: 0, skip: 0, sizeBytes };
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(FIRST_LINE_BYTES), 0, FIRST_LINE_BYTES, 0);
  const [first = ''] = buffer.toString('utf8', 0, bytesRead).split('\n', 1);
  const position = POSITION.exec(parseLine(first)?.text ?? '')?.[1];
  if (position === undefined) return undefined;
  return { path, handle, start: Number(position), skip: Buffer.byteLength(first) + 1, sizeBytes };
}
