import type { Metrics } from '../../activities/metrics';
import { asProblem } from '../../client/server-error';
import { defined } from '../../plan/defined';
import { startWorker } from '../../worker/worker';
import { placeSettings } from '../pipelines/installation';
import { type Configuration, gitAccess, worktreeSettings } from '../settings/configuration';
import { reachFlags } from '../settings/given-flags';
import { recordsOf } from '../settings/records';
import { tlsOptions } from '../settings/tls';
import type { Log } from './worker-log';

export interface OwnWorkerOptions {
  configuration: Configuration;
  address: string;
  namespace: string;
  identity: string;
  /** `queries` answers for runs and takes no activities. */
  mode: 'full' | 'queries';
  log: Log;
  pipelineDirs: readonly string[];
  maxConcurrentAgents?: number;
  /** Which steps' queues it takes. */
  queues?: readonly string[];
  /** Takes nothing else: neither workflows nor steps without a queue. */
  onlyQueues?: boolean;
  /** Counts the activity of its agents. */
  metrics?: Metrics;
  /** Learns when the server stops answering, and when it answers again. */
  onContact?: (has: boolean) => void;
  /** The time that steps in flight get at shutdown. @default as configured */
  shutdownGraceMs?: number;
}

export interface OwnWorker {
  identity: string;
  /** Settles when the worker has stopped; rejects if it stopped because of a failure. */
  finished: Promise<void>;
  /** The runs whose steps it has in progress. */
  inHand(): string[];
  /** @param handOver aborted when steps in flight must not be waited for any longer */
  shutdown(handOver?: AbortSignal): Promise<void>;
}

/**
 * Starts a worker in this process. Loads the Temporal worker, which costs half a second: nothing else may. A failure of the server or the
 * network, at its start or later, is a `ClientProblem`.
 */
export async function startOwnWorker(options: OwnWorkerOptions): Promise<OwnWorker> {
  const { address, namespace } = options;
  const named = (error: unknown): never => {
    throw asProblem(error, { address, namespace }) ?? error;
  };
  const worker = await start(options).catch(named);
  const finished = worker.finished.catch(named);
  // The caller that awaits it gets the error.
  finished.catch(() => undefined);
  return { ...worker, finished };
}

async function start(options: OwnWorkerOptions): Promise<OwnWorker> {
  const { configuration } = options;
  const embedded = configuration.address.value === undefined;
  const apiKey = embedded ? undefined : configuration.apiKey.value;
  const tls = embedded || configuration.tls.value === undefined ? undefined : tlsOptions(configuration.tls.value);
  return startWorker({
    address: options.address,
    namespace: options.namespace,
    taskQueue: configuration.taskQueue.value,
    identity: options.identity,
    records: recordsOf(configuration),
    stateDir: configuration.stateDir.value,
    pipelineDirs: [...new Set([...options.pipelineDirs, ...configuration.pipelines.value])],
    ...placeSettings(configuration),
    callbacks: configuration.callbacks.value,
    toolSettings: configuration.toolSettings.value,
    worktrees: worktreeSettings(configuration),
    git: gitAccess(configuration),
    mergeQueues: configuration.mergeQueues.value,
    ...defined({ mail: configuration.mail.value }),
    commandFlags: reachFlags(configuration),
    defaultAdapter: configuration.defaultAdapter.value,
    ...defined({ agentsInFlight: configuration.agentsInFlight.value, cachedRuns: configuration.cachedRuns.value }),
    stackTraces: configuration.stackTraces.value,
    mode: options.mode,
    log: options.log,
    ...defined({
      connection: apiKey === undefined && tls === undefined ? undefined : defined({ apiKey, tls }),
      shutdownGraceMs: options.shutdownGraceMs ?? configuration.shutdownGraceMs.value,
      metrics: options.metrics,
      onContact: options.onContact,
      queues: options.queues,
      onlyQueues: options.onlyQueues,
      maxConcurrentAgents: options.maxConcurrentAgents,
    }),
  });
}
