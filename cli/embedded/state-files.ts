import { mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { STATE_FOLDER_MODE } from '../../plan/state-modes';
import { closeStateFolder } from '../../records/directory/state-folder';
import { StateUnwritable } from './server-unavailable';

/** Where the embedded server keeps what, below a state directory. The directory belongs to one machine. */
export interface StateFiles {
  root: string;
  /** Who runs and where; kept after a stop for the port. */
  server: string;
  lock: string;
  leases: string;
  database: string;
  log: string;
}

export function stateFiles(stateDir: string): StateFiles {
  const root = resolve(stateDir);
  return {
    root,
    server: join(root, 'server.json'),
    lock: join(root, 'server.lock'),
    leases: join(root, 'leases'),
    database: join(root, 'temporal.db'),
    log: join(root, 'logs', 'server.log'),
  };
}

export function makeStateFolders(files: StateFiles): void {
  try {
    closeStateFolder(files.root);
    for (const folder of [files.leases, dirname(files.log)]) mkdirSync(folder, { recursive: true, mode: STATE_FOLDER_MODE });
  } catch (error) {
    throw new StateUnwritable(files.root, error);
  }
}
