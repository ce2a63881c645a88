import { randomInt } from 'node:crypto';
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
/** The server keeps its ports in its database as numbers of two bytes, with a sign. */
const [FIRST_PORT, BLOCKS, TRIES] = [20_000, 1300, 100];

/**
 * The first of as many free ports as the server needs. By chance, for a server that is killed leaves its ports for a moment, and another
 * topology of this machine would take them.
 */
export async function portsOfServer(): Promise<number> {
  for (let n = 0; n < TRIES; n += 1) {
    const from = FIRST_PORT + randomInt(BLOCKS) * PORTS;
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
