import { rm, stat } from 'node:fs/promises';
import { STATE_FILE_MODE } from '../../../plan/run/state-file-modes';
import type { RunKey } from '../../ledger';
import type { StepLogPart } from '../../transfer/store-part';
import { createFile, replaceFile } from '../durable-file';
import { closeSegments, openSegments, positionLine, segmentPaths } from '../step-logs/segments';

const NEWLINE = 0x0a;

/** Undefined if it has no whole line. */
export async function stepLogPart(run: RunKey, name: string, path: string): Promise<StepLogPart | undefined> {
  const segments = await openSegments(path);
  try {
    const pieces = await Promise.all(
      segments.map(async ({ handle, start, skip, sizeBytes }) => {
        const bytes = Buffer.alloc(Math.max(0, sizeBytes - skip));
        await handle.read(bytes, 0, bytes.byteLength, skip);
        return { start, bytes: bytes.subarray(0, bytes.lastIndexOf(NEWLINE) + 1) };
      }),
    );
    const whole = pieces.filter(({ bytes }) => bytes.byteLength > 0);
    if (whole.length === 0) return undefined;
    return { kind: 'step-log', run, name, pieces: whole, addedAtMs: (await stat(path)).mtimeMs };
  } finally {
    await closeSegments(segments);
  }
}

/** The file of the beginning is made last: without it there is no log. */
export async function writeStepLog({ pieces, addedAtMs }: StepLogPart, path: string, scratch: string, replaces = false): Promise<void> {
  const { head, older, newer } = segmentPaths(path);
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
    const line = positionLine(new Date(addedAtMs).toISOString(), first.start);
    const content = Buffer.concat([Buffer.from(line), ...rest.map(({ bytes }) => bytes)]);
    await replaceFile({ path: newer, scratch, mode: STATE_FILE_MODE }, content);
  }
  const file = { path: head, scratch, mode: STATE_FILE_MODE };
  if (!replaces) {
    await createFile(file, Buffer.concat(beginning));
    return;
  }
  await replaceFile(file, Buffer.concat(beginning));
  await rm(older, { force: true });
}
