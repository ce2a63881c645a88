import { isRunning } from '../../records/locks/process-identity';
import { findFreePort, isPortFree } from './ports';
import { launchServer, stopProcess } from './server-process';
import { type RunningServer, serverAddress, writeServerRecord } from './server-record';
import { ServerUnavailable, StateUnwritable } from './server-unavailable';
import type { ServerFiles } from './state-files';

/**
 * Starts the server of a state directory on a suitable port. Callers hold its lock and know that none runs.
 *
 * Invariants: 1. a port that was asked for is taken or the start fails; 2. `server.json` names the process before anybody waits for it, so
 * that a start which is killed half-way leaves no unknown server.
 */
const TRIES = 3;
/** Temporal's own distance between the server and its UI. */
const UI_DISTANCE = 1_000;

export interface StartOptions {
  files: ServerFiles;
  binary: string;
  env: NodeJS.ProcessEnv;
  /** Accept this port only. */
  port?: number;
  /** Tried in order before a free one is taken. */
  wishes: readonly number[];
  /** Called when the process exists but does not answer yet. */
  onLaunch?: () => void;
}

/** Fails with ServerUnavailable: the port is in use, nothing can be written, or the server does not start (with the end of its log). */
export async function startEmbeddedServer({ files, binary, env, port, wishes, onLaunch }: StartOptions): Promise<RunningServer> {
  const tried: string[] = [];
  while (tried.length < TRIES) {
    const chosen = port === undefined ? await choosePort(wishes) : await insistOn(port);
    const uiPort = await choosePort(chosen + UI_DISTANCE < 65_536 ? [chosen + UI_DISTANCE] : []);
    const { server, ready } = launchServer(files, binary, chosen, uiPort, env);
    try {
      writeServerRecord(files.server, server);
    } catch (error) {
      await stopProcess(server.process);
      await ready;
      throw new StateUnwritable(files.root, error);
    }
    onLaunch?.();
    const failed = await ready;
    if (failed === undefined) return server;
    const hung = isRunning(server.process);
    await stopProcess(server.process);
    tried.push(`${binary} on ${serverAddress(server)}: ${failed}`);
    // A server that ended may have lost a port to another program, including ports that it chooses itself.
    if (hung) break;
  }
  throw new ServerUnavailable('the embedded Temporal server does not start', tried, `its log is ${files.log}`);
}

async function insistOn(port: number): Promise<number> {
  if (await isPortFree(port)) return port;
  throw new ServerUnavailable(
    `port ${port} is in use by another program`,
    [`port ${port}: in use`],
    'choose another port, or omit it to use a free one',
  );
}

async function choosePort(wishes: readonly number[]): Promise<number> {
  for (const wish of wishes) if (await isPortFree(wish)) return wish;
  return findFreePort();
}
