import { dirname } from 'node:path';
import { LockHeld, type LockOptions, withFileLock } from '../../records/locks/file-lock';
import { ServerUnavailable, StateUnwritable } from './server-unavailable';

/**
 * Runs `work` while nobody else starts or stops the embedded server; it must be quick. Fails with ServerUnavailable if a live process holds
 * the lock for longer than the patience, with StateUnwritable if nobody can take it; in both cases `work` did not run.
 */
export async function withServerLock<T>(path: string, work: () => Promise<T>, options: LockOptions = {}): Promise<T> {
  let isInside = false;
  try {
    return await withFileLock(
      path,
      () => {
        isInside = true;
        return work();
      },
      options,
    );
  } catch (error) {
    if (isInside) throw error;
    throw error instanceof LockHeld ? heldTooLong(error) : new StateUnwritable(dirname(path), error);
  }
}

function heldTooLong({ path, patienceMs, pid }: LockHeld): ServerUnavailable {
  return new ServerUnavailable(
    `process ${pid ?? 'unknown'} has kept the embedded server locked for ${Math.round(patienceMs / 1000)} s`,
    [`lock: ${path}`],
    `check process ${pid ?? 'that holds it'}, or stop it`,
  );
}
