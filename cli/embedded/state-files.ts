import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { STATE_FOLDER_MODE } from '../../plan/run/state-file-modes';
import { closeStateFolder } from '../../records/directory/state-folder';
import { stateLayout } from '../../records/directory/state-layout';
import { StateUnwritable } from './server-unavailable';

/** The paths of the embedded server's files below a state directory. The directory belongs to one machine. */
export interface ServerFiles {
  root: string;
  /** Which process runs and at which address; kept after a stop because of the port. */
  server: string;
  lock: string;
  leases: string;
  database: string;
  log: string;
}

export function serverFiles(stateDir: string): ServerFiles {
  const root = resolve(stateDir);
  const { server, serverLock: lock, leases, database, serverLog: log } = stateLayout(root);
  return { root, server, lock, leases, database, log };
}

export function makeStateFolders(files: ServerFiles): void {
  try {
    closeStateFolder(files.root);
    for (const folder of [files.leases, dirname(files.log)]) mkdirSync(folder, { recursive: true, mode: STATE_FOLDER_MODE });
  } catch (error) {
    throw new StateUnwritable(files.root, error);
  }
}
