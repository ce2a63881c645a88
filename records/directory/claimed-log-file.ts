import { randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { ClaimedLog } from '../ledger';
import { type Claim, claimLine, ownerAfter, signed, superseded } from '../log-claims';
import { appendLine, noteLine } from './log-file';
import { wholeLines } from './log-lines';

/**
 * Claims a log that is a file. The order of lines in the file decides who its writer is (`log-claims.ts`): a writer looks at what was added
 * since, after each line of its own, so it knows whether that counts before anything follows from it.
 * Fails with `worker.lost` where an attempt that was scheduled later has claimed it before.
 *
 * @param guard turns what the file system refuses into `store.unavailable`
 */
export async function claimLogFile(
  path: string,
  log: string,
  guard: <T>(work: () => Promise<T>) => Promise<T>,
  scheduledAtMs?: number,
): Promise<ClaimedLog> {
  const claim: Claim = { writer: randomUUID().slice(0, 8), ...(scheduledAtMs === undefined ? {} : { scheduledAtMs }) };
  let knownBytes = 0;
  let owner: Claim | undefined;
  await noteLine(path, claimLine(claim));

  async function requireOwn(): Promise<void> {
    const added = await wholeFrom(path, knownBytes);
    knownBytes += added.byteLength;
    owner = ownerAfter(owner, wholeLines(added.toString('utf8')));
    if (owner?.writer !== claim.writer) throw superseded(log);
  }

  await requireOwn();

  return {
    append: (line) =>
      guard(async () => {
        await requireOwn();
        await appendLine(path, signed(line, claim.writer));
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
