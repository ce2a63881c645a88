import type { ServerSettings } from '../../client/connect';
import { asProblem } from '../../client/server-error';
import { ofTls } from '../../client/tls-trouble';
import { defined } from '../../plan/defined';
import type { RunningWorker } from '../../worker/running-worker';
import { startWorker, type WorkerOptions } from '../../worker/worker';
import { placeSettings } from '../pipelines/installation';
import { type Configuration, gitAccess, worktreeSettings } from '../settings/configuration';
import { reachFlags } from '../settings/given-flags';
import { recordsOf, storeOptions } from '../settings/records';
import { tlsOptions } from '../settings/tls';

type Taken = 'address' | 'namespace' | 'identity' | 'mode' | 'log' | 'maxConcurrentAgents' | 'queues' | 'onlyQueues';

/** What the configuration does not say. */
export interface OwnWorkerOptions extends Pick<WorkerOptions, Taken | 'metrics' | 'sdkMetrics' | 'onHealth' | 'shutdownGraceMs'> {
  configuration: Configuration;
  pipelineDirs: readonly string[];
}

/**
 * Starts a worker in this process. Loads the Temporal worker, which costs half a second: nothing else may. A failure of the server or the
 * network, at its start or later, is a `ClientProblem`.
 */
export async function startOwnWorker(options: OwnWorkerOptions): Promise<RunningWorker> {
  const { address, namespace } = options;
  const { apiKey, tls } = reach(options.configuration);
  const named = async (error: unknown): Promise<never> => {
    const problem = asProblem(error, { address, namespace });
    throw problem ? await ofTls(problem, { address, ...defined({ apiKey, tls }) }) : error;
  };
  const worker = await start(options).catch(named);
  const finished = worker.finished.catch(named);
  // The caller that awaits it gets the error.
  finished.catch(() => undefined);
  return { ...worker, finished };
}

/** An embedded server takes everybody on its host. */
function reach({ address, apiKey, tls }: Configuration): Pick<ServerSettings, 'apiKey' | 'tls'> {
  if (address.value === undefined) return {};
  return defined({ apiKey: apiKey.value, tls: tls.value && tlsOptions(tls.value) });
}

async function start(options: OwnWorkerOptions): Promise<RunningWorker> {
  const { configuration } = options;
  const { apiKey, tls } = reach(configuration);
  return startWorker({
    address: options.address,
    namespace: options.namespace,
    taskQueue: configuration.taskQueue.value,
    identity: options.identity,
    records: recordsOf(configuration),
    ...storeOptions(configuration),
    pipelineDirs: [...new Set([...options.pipelineDirs, ...configuration.pipelines.value])],
    ...placeSettings(configuration),
    toolSettings: configuration.toolSettings.value,
    worktrees: worktreeSettings(configuration),
    git: gitAccess(configuration),
    mergeQueues: configuration.mergeQueues.value,
    ...defined({ mail: configuration.mail.value, traces: configuration.traces.value }),
    commandFlags: reachFlags(configuration),
    defaultAdapter: configuration.defaultAdapter.value,
    ...defined({ loadLimits: configuration.load.value }),
    ...defined({ agentsInFlight: configuration.agentsInFlight.value, cachedRuns: configuration.cachedRuns.value }),
    stackTraces: configuration.stackTraces.value,
    versions: configuration.versions.value,
    mode: options.mode,
    log: options.log,
    ...defined({
      connection: apiKey === undefined && tls === undefined ? undefined : defined({ apiKey, tls }),
      shutdownGraceMs: options.shutdownGraceMs ?? configuration.shutdownGraceMs.value,
      metrics: options.metrics,
      sdkMetrics: options.sdkMetrics,
      onHealth: options.onHealth,
      queues: options.queues,
      onlyQueues: options.onlyQueues,
      maxConcurrentAgents: options.maxConcurrentAgents,
    }),
  });
}
