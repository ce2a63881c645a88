import { isSettled, type StepState } from '../../../plan/run/step-state';
import type { ControlPlan } from '../../../plan/steps/control';
import type { Run } from '../run';
import { type Frame, type Place, type PlanPosition, pathOf, planPositions } from './place';

/**
 * Steps that wait for steps of another branch of the same `parallel` (`after`). The awaited step is over when it is settled, or when
 * something around it is: then it never runs. So nobody waits for a step that will not run.
 */
export function endElsewhere(run: Run, frame: Frame, id: string): StepState | undefined {
  const awaited = run.steps.get(id);
  for (let at = awaited; at; at = at.container) {
    const record = run.state.records[pathOf(at, frame) ?? ''];
    if (!record || record.carried?.waits || !isSettled(record.state)) continue;
    return at === awaited ? record.state : 'skipped';
  }
  return undefined;
}

/** The state of a step, or of something around it, has changed: those that wait for it in other blocks are checked again. */
export function recountWaiting(plan: ControlPlan, open: Iterable<Recounting>, changed: readonly Place[]): void {
  const waiting = waitingFor(plan);
  if (waiting.size === 0) return;
  const ids = new Set(changed.flatMap(({ step }) => waiting.get(step.id) ?? []));
  if (ids.size === 0) return;
  for (const { scheduler } of open) scheduler.recount(ids);
}

interface Recounting {
  scheduler: { recount(ids: ReadonlySet<string>): void };
}

const known = new WeakMap<ControlPlan, ReadonlyMap<string, readonly string[]>>();

/** The waiting steps, by the ids of the awaited step and of those around it. Computed once: a plan never changes. */
function waitingFor(plan: ControlPlan): ReadonlyMap<string, readonly string[]> {
  let waiting = known.get(plan);
  if (!waiting) {
    waiting = findWaiting(planPositions(plan));
    known.set(plan, waiting);
  }
  return waiting;
}

function findWaiting(positions: ReadonlyMap<string, PlanPosition>): Map<string, string[]> {
  const waiting = new Map<string, string[]>();
  for (const [id, position] of positions) {
    for (const awaited of position.step.awaits ?? []) {
      for (let at = positions.get(awaited); at && !isAround(at, position); at = at.container) {
        waiting.set(at.step.id, [...(waiting.get(at.step.id) ?? []), id]);
      }
    }
  }
  return waiting;
}

function isAround(outer: PlanPosition, inner: PlanPosition): boolean {
  for (let at = inner.container; at; at = at.container) if (at === outer) return true;
  return false;
}
