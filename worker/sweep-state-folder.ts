import type { Log } from '../activities/log';
import { sweepScratch } from '../records/directory/durable-file';
import { closeStateFolder } from '../records/directory/state-folder';
import { scratchFolders } from '../records/directory/state-layout';

const SCRATCH_KEPT_MS = 60 * 60 * 1000;

/**
 * Closes the state folder to other users and removes what crashed workers left half-written. A failure is only logged: no run needs either.
 */
export async function sweepStateFolder(stateDir: string, log: Log): Promise<void> {
  try {
    closeStateFolder(stateDir);
  } catch (error) {
    log('warn', 'the state folder cannot be closed to other users', { stateDir, error: String(error) });
  }
  for (const scratch of scratchFolders(stateDir)) {
    try {
      await sweepScratch(scratch, SCRATCH_KEPT_MS, Date.now());
    } catch (error) {
      log('debug', 'left-over files could not be removed', { scratch, error: String(error) });
    }
  }
}
