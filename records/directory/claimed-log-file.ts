import { randomUUID } from 'node:crypto';
import { defined } from '../../plan/defined';
import type { Json } from '../../plan/text/json';
import type { ClaimedLog } from '../ledger';
import { claimLine, isSupersededClaim, ownerAfter, signedLine, validLines, type WriterClaim } from '../log-writer-claims';
import { appendLines, noteLines, syncLog, wholeFrom } from './log-file';
import { wholeLines } from './log-lines';

/**
 * Claims a log that is a file. The order of lines in the file decides who its writer is (`log-writer-claims.ts`): a writer reads the added
 * lines after each line of its own, so it knows whether that line counts before anything depends on it. Fails with `worker.lost` if an
 * attempt that was scheduled later has claimed it before.
 *
 * @param guard turns file system errors into `store.unavailable`
 */
export async function claimLogFile(
  path: string,
  log: string,
  guard: <T>(work: () => Promise<T>) => Promise<T>,
  scheduledAtMs?: number,
): Promise<ClaimedLog> {
  const claim: WriterClaim = { writer: randomUUID().slice(0, 8), ...defined({ scheduledAtMs }) };
  let knownBytes = 0;
  let owner: WriterClaim | undefined;
  let isSynced = true;
  await noteLines(path, [claimLine(claim)]);

  /** Reads the lines added since the last look. */
  async function look(): Promise<Json[]> {
    const { bytes: added } = await wholeFrom(path, knownBytes);
    knownBytes += added.byteLength;
    const lines = wholeLines(added.toString('utf8'));
    owner = ownerAfter(owner, lines);
    if (owner?.writer !== claim.writer) throw isSupersededClaim(log);
    return lines;
  }

  const add = (write: typeof appendLines, lines: readonly Json[]): Promise<void> =>
    guard(async () => {
      await look();
      await write(
        path,
        lines.map((line) => signedLine(line, claim.writer)),
      );
      await look();
    });

  return {
    before: validLines(await look()),
    async append(...lines) {
      await add(appendLines, lines);
      isSynced = true;
    },
    async note(line) {
      isSynced = false;
      await add(noteLines, [line]);
    },
    async sync() {
      if (isSynced) return;
      await guard(() => syncLog(path));
      isSynced = true;
    },
    requireOwn: () => guard(async () => void (await look())),
  };
}
