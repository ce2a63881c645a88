import { type WatchListener, watchListener } from '../../worker/watch-listener';
import type { WorkerOptions } from '../../worker/worker';
import type { Invocation } from '../command';
import { CommandFailure, EXIT } from '../exit';
import type { Configuration } from '../settings/configuration';

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
export function watchedBy(watch: WatchListener | undefined): Pick<WorkerOptions, 'metrics' | 'metricsBuffer' | 'onHealth'> {
  return watch ? { metrics: watch.metrics, metricsBuffer: watch.metricsBuffer, onHealth: watch.report } : {};
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
