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
  /** What is still to be done with its output once it has ended. */
  rest?(): Promise<void>;
}

/**
 * Starts a group that waits for its word, and waits until it has ended, its output is read and `rest` is done. Rejects with the signal's reason, with
 * `timedOut`, or with what `stop` was called with, whichever came first, once the group has ended, and all that has its mark; what is left of `rest` is
 * not waited for.
 */
export function attendGroup(
  child: GroupLeader,
  exited: Promise<Exit>,
  { input, mark, timeoutMs, timedOut, rest }: Attendance,
  signal: AbortSignal,
): { exit: Promise<Exit>; stop(reason: unknown): void } {
  const reasons: unknown[] = [];
  let isOver = false;
  let stopped: () => void = () => undefined;
  const untilStopped = new Promise<void>((resolve) => {
    stopped = resolve;
  });
  const stop = (reason: unknown) => {
    if (reasons.push(reason) !== 1) return;
    // The group's number may be another's by then.
    if (!isOver) endGroup(child);
    stopped();
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
      isOver = true;
      if (reasons.length === 0 && rest) await Promise.race([rest(), untilStopped]);
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
