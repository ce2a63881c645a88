import { existsSync } from 'node:fs';
import { connectClient, type ThermidorClient } from '../../client/connect';
import { defined } from '../../plan/defined';
import type { RunningWorker } from '../../worker/running-worker';
import { startWorker } from '../../worker/worker';
import { newIdentity } from '../embedded/leases';
import { acquireServer } from '../embedded/server';
import { serverFiles } from '../embedded/state-files';
import { preload } from '../preload';
import { workerLease } from '../serving/worker-lease-note';
import type { Configuration } from '../settings/configuration';
import { keyRingOfSettings } from '../settings/key-ring';
import { recordsOf } from '../settings/records';
import { tlsOptions } from '../settings/tls';
import { endedRuns } from './ended-runs';
import { nothingHasRun } from './nothing-has-run';
import { requireStore } from './require-store';
import { Service } from './service';
import type { SessionOptions } from './session-options';
import { startOwnWorker } from './start-own-worker';
import { behindSilence } from './state-folder-problem';
import { fileLog } from './worker-log';

/**
 * What a command has open: a server, a client, and a worker in this process if no other serves.
 *
 * Invariants: 1. a command that only looks never takes an activity, so that it cannot start an agent and kill it;
 * 2. while a command that works on runs is open, some process works: when the other worker leaves, this one begins, and a killed server is
 * started again; 3. `close` gives back everything, in the order worker, client, server, and is safe to call twice; 4. only a command that
 * begins something creates a state folder.
 */
export interface Session {
  readonly client: ThermidorClient;
  readonly configuration: Configuration;
  /** Absent if the address was configured. */
  readonly embedded?: { address: string; uiUrl?: string; started: boolean; identity: string };
  /** Which process serves the runs. Unknown for a configured address. */
  readonly served: 'here' | 'elsewhere' | 'nowhere' | 'unknown';
  close(): Promise<void>;
}

export async function openSession(options: SessionOptions): Promise<Session> {
  const { configuration } = options;
  if (options.need === 'worker' || options.ownWorker) await requireStore(configuration);
  if (configuration.address.value !== undefined) return openConfigured(options, configuration.address.value);
  return openEmbedded(options).catch(async (error: unknown) => {
    throw await behindSilence(error, { configuration, embedded: {} });
  });
}

async function openConfigured(options: SessionOptions, address: string): Promise<Session> {
  const { configuration } = options;
  const client = await connectSession(configuration, address, options.progress);
  try {
    await options.first?.(client);
    if (!options.ownWorker) return { client, configuration, served: 'unknown', close: () => client.close() };
    const worker = await ensureOwnWorker(options, client);
    const close = async (): Promise<void> => {
      await worker.shutdown();
      await client.close();
    };
    return { client, configuration, served: 'here', close };
  } catch (error) {
    await client.close();
    throw error;
  }
}

async function openEmbedded(options: SessionOptions): Promise<Session> {
  const { configuration, need } = options;
  const stateDir = configuration.stateDir.value;
  if (!options.begins && !existsSync(serverFiles(stateDir).database)) throw nothingHasRun(stateDir);
  const asked = {
    stateDir,
    onProgress: options.progress,
    onLaunch: () => loadClientAndWorker(need),
    ...defined({ port: options.port, preferredPort: options.preferredPort }),
  };
  const first = await acquireServer({ ...asked, ...(need === 'worker' ? await workerLease(configuration) : { role: 'look' }) });
  const closing: (() => Promise<void>)[] = [() => first.release()];
  const close = async (): Promise<void> => {
    for (let step = closing.pop(); step !== undefined; step = closing.pop()) await step();
  };
  try {
    const client = await connectSession(configuration, first.address, options.progress);
    closing.push(() => client.close());
    await options.first?.(client);
    const service = new Service(options, client, acquireServer);
    closing.push(() => service.stop());
    await service.begin(first);
    const embedded = { address: first.address, uiUrl: first.uiUrl, started: first.started, identity: first.identity };
    return {
      client,
      configuration,
      embedded,
      get served() {
        if (service.serving) return 'here';
        return need !== 'server' || first.workerElsewhere ? 'elsewhere' : 'nowhere';
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Loading client and worker takes as long as the server takes to come up: both at once. */
function loadClientAndWorker(need: SessionOptions['need']): void {
  preload(connectClient);
  if (need !== 'server') preload(startWorker);
}

/** Connects a client to a running server. */
export async function connectSession(
  configuration: Configuration,
  address: string,
  progress: SessionOptions['progress'] = () => undefined,
): Promise<ThermidorClient> {
  const embedded = configuration.address.value === undefined;
  return connectClient({
    address,
    embedded,
    namespace: embedded ? 'default' : configuration.namespace.value,
    taskQueue: configuration.taskQueue.value,
    ended: endedRuns(recordsOf(configuration), progress),
    keys: keyRingOfSettings(configuration),
    ...defined({
      apiKey: embedded || configuration.apiKey.value === undefined ? undefined : configuration.apiKey.value,
      tls: embedded || configuration.tls.value === undefined ? undefined : tlsOptions(configuration.tls.value),
    }),
  });
}

/** A worker of a configured server for as long as a command runs. Steps that it leaves are taken up by the next. */
function ensureOwnWorker(options: SessionOptions, { address, namespace }: ThermidorClient): Promise<RunningWorker> {
  const { configuration, queues, pipelineDirs = [] } = options;
  const identity = newIdentity();
  return startOwnWorker({
    configuration,
    address,
    namespace,
    identity,
    mode: 'full',
    log: fileLog(configuration.stateDir.value, identity),
    pipelineDirs,
    ...defined({ queues }),
  });
}
