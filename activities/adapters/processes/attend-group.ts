import type { OrphanMark } from './orphans';
import { type Exit, endGroup, type GroupLeader, giveInput, startLeader } from './process-group';

export interface Attendance {
  input: string | Uint8Array;
  /** That it was started with. */
  mark: Pick<OrphanMark, 'killAll'>;
  /** Absent: as long as it takes. */
  timeoutMs?: number;
  /** What it fails with then. */
  timedOut(timeoutMs: number): Error;
}

/**
 * Starts a group that waits for its word, and waits until it has ended and its output is read. Rejects with the signal's reason, with
 * `timedOut`, or with what `stop` was called with, whichever came first, once the group has ended, and all that has its mark.
 */
export function attendGroup(
  child: GroupLeader,
  exited: Promise<Exit>,
  { input, mark, timeoutMs, timedOut }: Attendance,
  signal: AbortSignal,
): { exit: Promise<Exit>; stop(reason: unknown): void } {
  const reasons: unknown[] = [];
  const stop = (reason: unknown) => {
    if (reasons.push(reason) === 1) endGroup(child);
  };
  const onAbort = () => stop(signal.reason);
  const wait = async () => {
    signal.addEventListener('abort', onAbort, { once: true });
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => stop(timedOut(timeoutMs)), Math.min(timeoutMs, 2 ** 31 - 1));
    try {
      giveInput(child, input);
      if (signal.aborted) onAbort();
      else startLeader(child);
      const exit = await exited;
      if (reasons.length === 0) return exit;
      await mark.killAll();
      throw reasons[0];
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    }
  };
  return { exit: wait(), stop };
}

/** Resolves when the leader has ended and its output is read, also where something it left behind keeps the pipes open: that is ended. */
export function exitOf(child: GroupLeader, cannotStart: (error: Error) => Error): Promise<Exit> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(cannotStart(error)));
    child.once('exit', () => endGroup(child));
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
}

/** All of its stdout, as long as it is within the limit. */
export function readAll(child: GroupLeader, limitBytes: number, tooLarge: () => void): () => Buffer {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    sizeBytes += chunk.byteLength;
    if (sizeBytes <= limitBytes) chunks.push(chunk);
    else tooLarge();
  });
  return () => Buffer.concat(chunks);
}
