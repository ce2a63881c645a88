import { existsSync } from 'node:fs';
import { open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProblemCode } from '../../client/client-problem';
import { ThermidorFailure } from '../../plan/run/failure';
import { STATE_FILE_MODE } from '../../plan/run/state-file-modes';
import { onDisk } from '../../records/directory/durable-file';
import { recordsOf } from '../settings/records';
import { folderGone } from './folder-gone';
import type { Session } from './session';

interface Place extends Pick<Session, 'configuration'> {
  /** Absent where the server is elsewhere. */
  embedded?: object;
}

/**
 * Why the state folder cannot be used, in the words of the store; undefined if it can. Server, worker and follower of an embedded server
 * all live in it: if it is full or gone, nobody answers in time, although there is a worker.
 */
export async function stateFolderProblem(session: Pick<Session, 'embedded' | 'configuration'>): Promise<ThermidorFailure | undefined> {
  // The workers of a server elsewhere may have another folder.
  if (session.embedded === undefined) return undefined;
  const stateDir = session.configuration.stateDir.value;
  try {
    if (!existsSync(stateDir)) return folderGone(stateDir);
    await onDisk('the state folder', stateDir, async () => {
      recordsOf(session.configuration).identity.check();
      await tryToWrite(stateDir);
    });
    return undefined;
  } catch (error) {
    if (error instanceof ThermidorFailure) return error;
    throw error;
  }
}

/** The same, but cheap: a look at the disk shows that nothing is wrong. */
export async function quickStateFolderProblem(session: Pick<Session, 'embedded' | 'configuration'>): Promise<ThermidorFailure | undefined> {
  const stateDir = session.configuration.stateDir.value;
  try {
    const { bavail, bsize } = await statfs(stateDir);
    recordsOf(session.configuration).identity.check();
    if (bavail * bsize > PROBE_BYTES) return undefined;
  } catch {
    // The problem is reported below.
  }
  return stateFolderProblem(session);
}

/** Whether the folder is gone for good for this process: its work in progress can be stored nowhere. */
export function isFolderGone({ details }: ThermidorFailure): boolean {
  const reason = typeof details === 'object' && details !== null && 'reason' in details ? details['reason'] : undefined;
  return reason === 'LOST' || reason === 'REPLACED';
}

/** A server and a worker need some room for the smallest step. */
const PROBE_BYTES = 256 * 1024;

async function tryToWrite(stateDir: string): Promise<void> {
  const path = join(stateDir, `.probe-${process.pid}`);
  try {
    const handle = await open(path, 'w', STATE_FILE_MODE);
    try {
      await handle.writeFile(Buffer.alloc(PROBE_BYTES));
    } finally {
      await handle.close();
    }
  } finally {
    await rm(path, { force: true });
  }
}
