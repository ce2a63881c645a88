import type { OrphanMark } from './orphans';
import { type Exit, endGroup, type GroupLeader, giveInput, startLeader } from './process-group';

export interface Attendance {
  input: string | Uint8Array;
  /** The mark with which it was started. */
  mark: Pick<OrphanMark, 'killAll'>;
  /** Absent: no limit. */
  timeoutMs?: number;
  /** The failure after that time. */
  timedOut(timeoutMs: number): Error;
  /** Remaining work on its output once it has ended. */
  rest?(): Promise<void>;
}

/**
 * Starts a waiting group, and waits until it has ended, its output is read and `rest` is done. Rejects with the signal's reason, with
 * `timedOut`, or with the argument of `stop`, whichever came first, once the group and all processes with its mark have ended; a remaining
 * `rest` is not awaited.
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
    // Another group may have its number by then.
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

/** Resolves when the leader has ended and its output is read, even if a remaining process keeps the pipes open: that is ended. */
export function exitOf(child: GroupLeader, cannotStart: (error: Error) => Error): Promise<Exit> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(cannotStart(error)));
    child.once('exit', () => endGroup(child));
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
}

/** The whole stdout, if it is within the limit. */
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
