import { randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { ClaimedLog } from '../ports';
import { claimLine, isSuperseded, signed, superseded } from './log-claims';
import { appendLine, noteLine } from './log-file';
import { wholeLines } from './log-lines';

/**
 * Claims a log that is a file. The order of lines in the file decides who its writer is (`log-claims.ts`): a writer looks at what was added
 * since its claim after each line of its own, so it knows whether that counts before anything follows from it.
 *
 * @param guard turns what the file system refuses into `store.unavailable`
 */
export async function claimLogFile(path: string, log: string, guard: <T>(work: () => Promise<T>) => Promise<T>): Promise<ClaimedLog> {
  const writer = randomUUID().slice(0, 8);
  let knownBytes = await noteLine(path, claimLine(writer));
  let isOver = false;

  async function requireOwn(): Promise<void> {
    const added = await wholeFrom(path, knownBytes);
    knownBytes += added.byteLength;
    isOver ||= isSuperseded(wholeLines(added.toString('utf8')), writer);
    if (isOver) throw superseded(log);
  }

  return {
    append: (line) =>
      guard(async () => {
        await requireOwn();
        await appendLine(path, signed(line, writer));
        await requireOwn();
      }),
    requireOwn: () => guard(requireOwn),
  };
}

/** The whole lines behind a place in a file. */
async function wholeFrom(path: string, from: number): Promise<Buffer> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    const bytes = Buffer.alloc(Math.max(0, size - from));
    await handle.read(bytes, 0, bytes.byteLength, from);
    return bytes.subarray(0, bytes.lastIndexOf('\n') + 1);
  } finally {
    await handle.close();
  }
}
