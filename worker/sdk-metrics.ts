import { type BufferedMetricUpdate, MetricsBuffer } from '@temporalio/worker';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { STEPS_ENDED } from '../plan/run/step-state';
import { unreachable } from '../plan/unreachable';
import type { WorkerSlots } from '../records/worker-sign';
import { boundedLabels } from './bounded-labels';

/** What the SDK, and workflow code by the SDK, say in numbers. */
export interface SdkMetrics {
  /** What the runtime of the process writes to. */
  buffer: MetricsBuffer;
  /** Brings the registry up to date. */
  take(): void;
  /** The places for steps over all queues of the process. Undefined: the SDK has said nothing yet. */
  slots(): Promise<WorkerSlots | undefined>;
  close(): void;
}

/** The labels that are kept; the SDK has others for some updates of a metric only. */
const LABELS = [
  'namespace',
  'task_queue',
  'operation',
  'status_code',
  'worker_type',
  'poller_type',
  'workflow_type',
  'activity_type',
  'failure_reason',
] as const;
type Label = (typeof LABELS)[number] | (typeof STEPS_ENDED.labels)[number];
type Labels = Partial<Record<Label, string>>;

/** A histogram has a line for each of its buckets. */
const MOST_SERIES = 500;
const SECONDS = [0.005, 0.02, 0.1, 0.5, 1, 5, 15, 60, 300, 1800];
/** More than a second brings, also while a worker takes up what has waited for it. */
const MOST_WAITING = 50_000;
const TAKE_MS = 1000;

/**
 * Takes the SDK's updates into a registry, under the SDK's own names; durations are in seconds, and say so.
 *
 * Invariant: memory does not depend on how often somebody reads the registry: updates are taken every second, and become sums.
 */
export function takeSdkMetrics(registry: Registry): SdkMetrics {
  const buffer = new MetricsBuffer({ maxBufferSize: MOST_WAITING, useSecondsForDurations: true });
  const known = new Map<string, (attributes: Attributes, value: number) => void>();
  const take = (): void => {
    for (const { metric, value, attributes } of buffer.retrieveUpdates()) {
      const update = known.get(metric.name) ?? updater(metric, registry);
      known.set(metric.name, update);
      update(attributes, value);
    }
  };
  const timer = setInterval(take, TAKE_MS).unref();
  const slots = async (): Promise<WorkerSlots | undefined> => {
    take();
    const [used, free] = [await placesFor(registry, 'used'), await placesFor(registry, 'available')];
    return used === undefined ? undefined : { used, free: free ?? 0 };
  };
  return { buffer, take, slots, close: () => clearInterval(timer) };
}

async function placesFor(registry: Registry, which: 'used' | 'available'): Promise<number | undefined> {
  const gauge = await registry.getSingleMetric(`temporal_worker_task_slots_${which}`)?.get();
  const queues = gauge?.values.filter(({ labels }) => labels['worker_type'] === 'ActivityWorker') ?? [];
  return queues.length === 0 ? undefined : queues.reduce((sum, { value }) => sum + value, 0);
}

type Attributes = BufferedMetricUpdate['attributes'];

function updater(metric: BufferedMetricUpdate['metric'], registry: Registry): (attributes: Attributes, value: number) => void {
  const name = metric.unit === 's' ? `${metric.name}_seconds` : metric.name;
  const labelNames: readonly Label[] = metric.name === STEPS_ENDED.name ? STEPS_ENDED.labels : LABELS;
  const made = { name, help: metric.description || name, labelNames, registers: [registry] };
  const limit = boundedLabels<Label>(MOST_SERIES);
  const bounded = (attributes: Attributes) => limit(labelsOf(attributes, labelNames));
  const { kind } = metric;
  switch (kind) {
    case 'counter': {
      const counter = new Counter(made);
      return (attributes, value) => counter.inc(bounded(attributes), value);
    }
    case 'up-down-counter': {
      const gauge = new Gauge(made);
      return (attributes, value) => gauge.inc(bounded(attributes), value);
    }
    case 'gauge': {
      const gauge = new Gauge(made);
      return (attributes, value) => gauge.set(bounded(attributes), value);
    }
    case 'histogram': {
      const histogram = new Histogram({ ...made, ...(metric.unit === 's' ? { buckets: SECONDS } : {}) });
      return (attributes, value) => histogram.observe(bounded(attributes), value);
    }
    default:
      return unreachable(kind);
  }
}

function labelsOf(attributes: Attributes, names: readonly Label[]): Labels {
  const labels: Labels = {};
  for (const label of names) {
    const value = attributes[label];
    if (value !== undefined) labels[label] = String(value);
  }
  return labels;
}
