import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Log } from '../../activities/log';
import { STATE_FOLDER_MODE } from '../../plan/run/state-file-modes';
import { stateLayout } from '../../records/directory/state-layout';
import { withFileLock } from '../../records/locks/file-lock';
import { processPlace } from '../../records/locks/process-place';
import { failLostActivities } from '../embedded/fail-lost-activities';
import { dropLease, lostWorkersOf, newIdentity, readLeases, takeLease } from '../embedded/leases';
import type { Configuration } from '../settings/configuration';
import { connectSession } from './session';

/**
 * The lease of a worker whose server runs elsewhere, so that the server's next worker gives back its work in progress if it was killed.
 *
 * Invariants: 1. leases of one folder are of one place and one server, so that their reader can judge the process; 2. the identity of a
 * worker that died goes to exactly one other; 3. a worker that can leave no lease works anyway: its work comes back by the heartbeat.
 */
export interface WorkerLease {
  /** Under which this process polls. */
  identity: string;
  /** Workers that were killed. */
  lost: readonly string[];
  release(): void;
}

export interface LeasedServer {
  stateDir: string;
  address: string;
  namespace: string;
  taskQueue: string;
}

export function leasedServer({ stateDir, namespace, taskQueue }: Configuration, address: string): LeasedServer {
  return { stateDir: stateDir.value, address, namespace: namespace.value, taskQueue: taskQueue.value };
}

/** The lock is held only for a moment. */
const LOCK_PATIENCE_MS = 5_000;
const GIVE_BACK_LIMIT_MS = 30_000;
/** After this time leases of other places are of no use to anybody, except a worker that has lived for longer. */
const FORGOTTEN_MS = 30 * 24 * 60 * 60 * 1000;

/** @param place of this process */
export async function leaseWorker(server: LeasedServer, log: Log, place = processPlace()): Promise<WorkerLease> {
  try {
    if (place !== undefined) return await leaseIn(folderOf(server, place));
  } catch (error) {
    log('warn', 'this worker leaves no lease: if it is killed, its work comes back by the heartbeat', { error: String(error) });
  }
  return { identity: newIdentity(), lost: [], release: () => undefined };
}

async function leaseIn(folder: string): Promise<WorkerLease> {
  mkdirSync(folder, { recursive: true, mode: STATE_FOLDER_MODE });
  const take = async (): Promise<WorkerLease> => {
    const { dead } = readLeases(folder);
    const lost = lostWorkersOf(dead);
    const mine = takeLease(folder, 'worker', lost, new Date());
    for (const lease of dead) dropLease(lease);
    return { identity: mine.lease.identity, lost, release: () => dropLease(mine) };
  };
  const lease = await withFileLock(join(folder, 'lock'), take, { patienceMs: LOCK_PATIENCE_MS });
  forgetOthers(folder);
  return lease;
}

function folderOf({ stateDir, address, namespace, taskQueue }: LeasedServer, place: string): string {
  const name = createHash('sha256')
    .update(JSON.stringify([place, address, namespace, taskQueue]))
    .digest('hex')
    .slice(0, 16);
  return join(stateLayout(stateDir).workerLeases, name);
}

/** Where leases of workers are whose servers run elsewhere: a folder for each place and server. */
export function workerLeaseFolders(stateDir: string): string[] {
  const { workerLeases } = stateLayout(stateDir);
  return existsSync(workerLeases) ? readdirSync(workerLeases).map((name) => join(workerLeases, name)) : [];
}

/** Removes old leases, judged by the date of a folder that was changed just now. */
function forgetOthers(mine: string): void {
  const nowMs = statSync(mine).mtimeMs;
  for (const name of readdirSync(dirname(mine))) {
    const path = join(dirname(mine), name);
    const changedMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? nowMs;
    if (nowMs - changedMs > FORGOTTEN_MS) rmSync(path, { recursive: true, force: true });
  }
}

/** Gives back the work in progress of lost workers. Never fails: the heartbeat does the same later. */
export async function giveBackLost(
  configuration: Configuration,
  address: string,
  { lost, identity }: WorkerLease,
  log: Log,
): Promise<void> {
  if (lost.length === 0) return;
  try {
    const client = await connectSession(configuration, address);
    try {
      const { connection, namespace, taskQueue } = client;
      const give = () => failLostActivities({ connection, namespace, taskQueue, lostWorkers: lost, identity });
      const given = await client.call(give, GIVE_BACK_LIMIT_MS);
      if (given.length > 0) log('info', 'work of a worker that was killed is given back', { workers: lost, activities: given.length });
    } finally {
      await client.close();
    }
  } catch (error) {
    log('warn', 'work of a worker that was killed comes back by the heartbeat', { workers: lost, error: String(error) });
  }
}
