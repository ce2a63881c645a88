import { defined } from '../../plan/defined';
import { isRunning } from '../../records/locks/process-identity';
import { type Lease, readLeases } from './leases';
import { readServerRecord, serverAddress } from './server-record';
import { serverFiles } from './state-files';

/** The server as its state directory describes it, read without the lock and without changing anything. */
export interface ServerView {
  running: boolean;
  address?: string;
  uiUrl?: string;
  pid?: number;
  binary?: string;
  log: string;
  leases: LeaseView[];
}

export interface LeaseView extends Pick<Lease, 'role' | 'identity' | 'since' | 'about'> {
  pid: number;
  /** False: its process was killed, and the next worker takes over. */
  alive: boolean;
}

export async function peekServer(stateDir: string): Promise<ServerView> {
  const files = serverFiles(stateDir);
  const record = readServerRecord(files.server);
  const { living, dead } = readLeases(files.leases);
  const view = (alive: boolean) => (file: (typeof living)[number]) => {
    const { process, role, identity, since, about } = file.lease;
    return { pid: process.pid, role, identity, since, alive, ...defined({ about }) };
  };
  const leases = [...living.map(view(true)), ...dead.map(view(false))];
  if (record?.process === undefined || !isRunning(record.process)) return { running: false, log: files.log, leases };
  return {
    running: true,
    address: serverAddress(record),
    uiUrl: `http://127.0.0.1:${record.uiPort}`,
    pid: record.process.pid,
    binary: record.binary,
    log: files.log,
    leases,
  };
}
