import { stat } from 'node:fs/promises';
import { STATE_FILE_MODE } from '../../../plan/run/state-file-modes';
import type { RunKey } from '../../ledger';
import type { StepLogPart } from '../../transfer/store-part';
import { createFile, replaceFile } from '../durable-file';
import { closeSegments, openSegments, positionLine, segmentPaths } from '../step-logs/segments';

const NEWLINE = 0x0a;

/** Undefined if it has no whole line. */
export async function stepLogPart(run: RunKey, name: string, path: string): Promise<StepLogPart | undefined> {
  const pieces = (await wholePieces(path)).map(({ start, bytes }) => ({ start, bytes }));
  if (pieces.length === 0) return undefined;
  return { kind: 'step-log', run, name, pieces, addedAtMs: (await stat(path)).mtimeMs };
}

/** The whole lines of each file that has any, in order. */
async function wholePieces(path: string): Promise<{ path: string; start: number; bytes: Buffer }[]> {
  const segments = await openSegments(path);
  try {
    const pieces = await Promise.all(
      segments.map(async ({ path: file, handle, start, skip, sizeBytes }) => {
        const bytes = Buffer.alloc(Math.max(0, sizeBytes - skip));
        await handle.read(bytes, 0, bytes.byteLength, skip);
        return { path: file, start, bytes: bytes.subarray(0, bytes.lastIndexOf(NEWLINE) + 1) };
      }),
    );
    return pieces.filter(({ bytes }) => bytes.byteLength > 0);
  } finally {
    await closeSegments(segments);
  }
}

/** The file of the beginning is made last: without it there is no log. */
export async function writeStepLog({ pieces, addedAtMs }: StepLogPart, path: string, scratch: string): Promise<void> {
  const { head, newer } = segmentPaths(path);
  const beginning: Buffer[] = [];
  let end = 0;
  for (const { start, bytes } of pieces) {
    if (start !== end) break;
    beginning.push(bytes);
    end += bytes.byteLength;
  }
  const rest = pieces.slice(beginning.length);
  const first = rest[0];
  if (first) {
    const content = Buffer.concat([positionOf(first.start, addedAtMs), ...rest.map(({ bytes }) => bytes)]);
    await replaceFile({ path: newer, scratch, mode: STATE_FILE_MODE }, content);
  }
  await createFile({ path: head, scratch, mode: STATE_FILE_MODE }, Buffer.concat(beginning));
}

/**
 * Writes the pieces of `stepLogPart` in the place of those that are there, each in its own file: whenever this is broken off, no line is
 * lost, and none is there twice.
 */
export async function replaceStepLog({ pieces, addedAtMs }: StepLogPart, path: string, scratch: string): Promise<void> {
  const files = await wholePieces(path);
  for (const [at, { path: file }] of files.entries()) {
    const { start, bytes } = pieces[at] ?? { start: 0, bytes: Buffer.alloc(0) };
    const content = file === segmentPaths(path).head ? bytes : Buffer.concat([positionOf(start, addedAtMs), bytes]);
    await replaceFile({ path: file, scratch, mode: STATE_FILE_MODE }, content);
  }
}

function positionOf(start: number, addedAtMs: number): Buffer {
  return Buffer.from(positionLine(new Date(addedAtMs).toISOString(), start));
}
