import type { RunState as RunStateName } from '../../../plan/run/status';
import type { Run } from '../run';
import { isContainerPlace, stepIdAt } from '../scheduling/place';
import { childStateOf } from './kind-state';
import { type StepRecord, unansweredGate } from './step-record';

/** The state of a run. If several hold at once: paused, held, running, waiting, in this order. */
export function runStateView(run: Run): RunStateName {
  const { ending } = run;
  if (ending && ending.kind !== 'continue') return ending.kind;
  if (run.state.paused) return 'paused';
  let waits = false;
  let works = false;
  let held = false;
  for (const [path, record] of run.index.live(run.state.records)) {
    const what = stateOf(run, path, record);
    if (what === 'held') held = true;
    else if (what === 'waits') waits = true;
    else if (what === 'works') works = true;
  }
  if (held) return 'held';
  return waits && !works ? 'waiting' : 'running';
}

function stateOf(run: Run, path: string, record: StepRecord): 'held' | 'waits' | 'works' | undefined {
  if (record.state === 'held') return 'held';
  const gate = unansweredGate(record);
  if (gate) return gate.kind === 'budget' ? 'held' : 'waits';
  if (record.state !== 'running') return undefined;
  const child = childStateOf(record);
  if (child) return child.state === 'waiting' ? 'waits' : child.state === 'held' ? 'held' : 'works';
  const step = run.steps.get(stepIdAt(path))?.step;
  // A container works if an inner step does.
  return step && isContainerPlace(step) ? undefined : 'works';
}
