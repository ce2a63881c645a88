import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isPortFree } from '../../cli/embedded/ports';
import { compose } from '../deploy/compose-file';

/** PATH and language, and nothing of the person who runs the tests. */
export function plainEnvironment(folder: string): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], HOME: join(folder, 'home'), LANG: 'C.UTF-8', NO_COLOR: '1' };
}

/** A folder that every user has a way into. */
export function openFolder(): string {
  return process.getuid?.() === 0 ? '/tmp' : tmpdir();
}

const PORTS = 9;
const FIRST_PORT = 20_000;
/** The server keeps them in its database as numbers of two bytes, with a sign. */
const LAST_PORT = 32_000;

/**
 * The first of as many free ports as the server needs. They begin elsewhere for each process: ports of another topology are free while its
 * server is killed, and its workers would then work here.
 */
export async function portsOfServer(): Promise<number> {
  const places = Math.floor((LAST_PORT - FIRST_PORT) / PORTS);
  for (let n = 0; n < places; n += 1) {
    const from = FIRST_PORT + ((process.pid + n) % places) * PORTS;
    const free = await Promise.all(Array.from({ length: PORTS }, (_, at) => isPortFree(from + at)));
    if (free.every(Boolean)) return from;
  }
  throw new Error('no free ports for the Temporal server');
}

const FIRST_UID = 20_000;

/** A user for each container of ours; nothing if the tests do not run as root. */
export function userOf(name: string): { uid?: number; gid?: number } {
  const own = Object.entries(compose.services).filter(([, { build }]) => build);
  const at = own.findIndex(([one]) => one === name);
  if (at === -1 || process.getuid?.() !== 0) return {};
  return { uid: FIRST_UID + at, gid: FIRST_UID + at };
}

export function takesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1');
    const settle = (takes: boolean): void => {
      socket.destroy();
      resolve(takes);
    };
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
  });
}
