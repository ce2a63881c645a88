import { type WatchListener, watchListener } from '../../worker/watch-listener';
import type { WorkerOptions } from '../../worker/worker';
import type { Invocation } from '../command';
import { CommandFailure, EXIT } from '../exit';
import { reportNamespace } from '../monitoring/report-namespace';
import { soleReporter } from '../monitoring/sole-reporter';
import type { Configuration } from '../settings/configuration';
import { recordsOf } from '../settings/records';
import { connectSession } from './session';
import type { Log } from './worker-log';

/** Runs a worker's work together with the metrics server, if a flag or the settings ask for it. Fails with `metrics.unavailable`. */
export async function withMetrics<T>(
  invocation: Pick<Invocation, 'options' | 'terminal'>,
  configuration: Configuration,
  work: (watch: WatchListener | undefined) => Promise<T>,
): Promise<T> {
  const watch = await openMetrics(invocation, configuration);
  try {
    return await work(watch);
  } finally {
    await watch?.close();
  }
}

/** Why a worker that ends is not ready. */
export const STOPS = 'the worker stops: it takes no new work';

/** What a worker tells those who look after it. */
export function watchedBy(watch: WatchListener | undefined): Pick<WorkerOptions, 'metrics' | 'sdkMetrics' | 'onHealth'> {
  return watch ? { metrics: watch.metrics, sdkMetrics: watch.sdk, onHealth: watch.report } : {};
}

/** Counts all runs of the task queue, if there is somebody to tell and no other process does. Returns the function that ends it. */
export function countForAll(
  watch: WatchListener | undefined,
  configuration: Configuration,
  address: () => string,
  log: Log,
): () => Promise<void> {
  if (!watch) return async () => undefined;
  const { namespace, taskQueue } = configuration;
  return reportNamespace({
    office: soleReporter(recordsOf(configuration), `${namespace.value}/${taskQueue.value}`),
    connect: () => connectSession(configuration, address()),
    report: watch.reportNamespace,
    log,
  });
}

/** Loads the Prometheus counters only if they are asked for. */
async function openMetrics(
  { options, terminal }: Pick<Invocation, 'options' | 'terminal'>,
  configuration: Configuration,
): Promise<WatchListener | undefined> {
  const given = options.number('metricsPort');
  const set = configuration.metrics.value;
  const port = given ?? set?.port;
  if (port === undefined) return undefined;
  try {
    const listener = await watchListener({ ...set, port });
    terminal.err(`metrics at ${listener.url}/metrics\n`);
    return listener;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandFailure(EXIT.unreachable, 'metrics.unavailable', `metrics cannot be served at port ${port}: ${reason}`, {
      hint: 'another worker of this host may have it; choose one with --metrics-port',
    });
  }
}
