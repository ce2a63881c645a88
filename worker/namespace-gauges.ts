import { Gauge, type Registry } from 'prom-client';
import type { NamespaceNumbers } from '../plan/run/namespace-numbers';
import { boundedLabels } from './bounded-labels';

/** Puts the numbers of all runs into a registry; without numbers it has none of these. */
export function namespaceGauges(registry: Registry): (numbers: NamespaceNumbers | undefined) => void {
  const runs = gauge(registry, 'thermidor_open_runs', 'Open runs by state, child runs among them', ['state']);
  const gates = gauge(registry, 'thermidor_open_gates', 'Gates that wait for a person', []);
  const oldest = gauge(registry, 'thermidor_oldest_gate_age_seconds', 'How long the oldest of them has waited; 0 if there is none', []);
  const backlog = gauge(registry, 'thermidor_queue_backlog', 'Work that waits for a worker, as the server estimates it', ['queue', 'kind']);
  const age = gauge(registry, 'thermidor_queue_backlog_age_seconds', 'How long the oldest of it has waited', ['queue', 'kind']);
  const skips = gauge(
    registry,
    'thermidor_schedule_skips',
    'Starts that schedules have left out: the run before had not ended, or it was too late (`missed`)',
    ['kind'],
  );
  const all = [runs, gates, oldest, backlog, age, skips];
  const clear = (): void => {
    for (const one of all) one.clear();
  };
  // One without labels is 0 from the beginning.
  clear();
  return (numbers) => {
    clear();
    if (numbers === undefined) return;
    for (const [state, count] of Object.entries(numbers.runs)) runs.set({ state }, count);
    gates.set({}, numbers.gates.open);
    oldest.set({}, numbers.gates.oldestSeconds);
    for (const { queue, kind, backlog: waiting, ageSeconds } of numbers.queues) {
      backlog.set({ queue, kind }, waiting);
      age.set({ queue, kind }, ageSeconds);
    }
    for (const [kind, count] of Object.entries(numbers.skipped)) skips.set({ kind }, count);
  };
}

function gauge<L extends string>(registry: Registry, name: string, help: string, labelNames: readonly L[]) {
  const made = new Gauge({ name, help, labelNames, registers: [registry] });
  let bounded = boundedLabels<L>();
  return {
    set: (labels: Record<L, string>, value: number) => made.set(bounded(labels), value),
    clear(): void {
      made.reset();
      if (labelNames.length === 0) made.remove();
      bounded = boundedLabels<L>();
    },
  };
}
