import { existsSync } from 'node:fs';
import { open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProblemCode } from '../../client/client-problem';
import { ThermidorFailure } from '../../plan/run/failure';
import { STATE_FILE_MODE } from '../../plan/run/state-file-modes';
import { field } from '../../plan/text/json';
import { onDisk } from '../../records/directory/durable-file';
import type { Configuration } from '../settings/configuration';
import { recordsOf } from '../settings/records';
import { folderGone } from './folder-gone';

interface Place {
  configuration: Configuration;
  /** Absent if the server is elsewhere. */
  embedded?: object;
}

/**
 * Why the state folder cannot be used, in the words of the store; undefined if it can. Server, worker and follower of an embedded
 * server all live in it: if it is full or gone, nobody answers in time, and that is not for want of a worker.
 */
export async function stateFolderProblem(session: Place): Promise<ThermidorFailure | undefined> {
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

/** What a command fails with: that nobody answered, or why nobody could. */
export async function behindSilence(error: unknown, session: Place): Promise<unknown> {
  const isSilence = error instanceof Error && error.name === 'ClientProblem' && 'code' in error && SILENCE.has(error.code);
  return (isSilence ? await stateFolderProblem(session) : undefined) ?? error;
}

const SILENCE: ReadonlySet<unknown> = new Set<ProblemCode>(['worker.missing', 'server.unreachable', 'server.refused']);

/** The problem of the state folder. Cheap, because a look at the disk is enough if nothing is wrong. */
export async function quickStateFolderProblem(session: Place): Promise<ThermidorFailure | undefined> {
  const stateDir = session.configuration.stateDir.value;
  try {
    const { bavail, bsize } = await statfs(stateDir);
    recordsOf(session.configuration).identity.check();
    if (bavail * bsize > PROBE_BYTES) return undefined;
  } catch {
    // What is wrong is said below.
  }
  return stateFolderProblem(session);
}

/** What is gone for good as far as this process is concerned: what it has in progress can be stored nowhere. */
export function isFolderGone({ details }: ThermidorFailure): boolean {
  return ['LOST', 'REPLACED'].some((reason) => field(details, 'reason') === reason);
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
