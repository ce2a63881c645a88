import { defined } from '../defined';
import type { StepView } from '../run/status';
import type { StepState } from '../run/step-state';
import type { GraphNode } from './graph-model';

/** The states of a run's steps, by the id of the step in its plan. */
export interface RunStates {
  of(step: string): StepView | undefined;
  /** The facts that a picture shows of a step; empty if nothing is known. */
  facts(step: string): Pick<GraphNode, 'state' | 'round' | 'verdict'>;
  /** The state of the approval after the step's work. */
  gate(step: string): StepState | undefined;
}

/** Order of states. A picture shows a step of a loop once for all its iterations: states that need a look come first. */
const WEIGHT: readonly StepState[] = ['failed', 'held', 'waiting', 'running', 'done', 'skipped', 'superseded', 'pending'];

export function statesOf(views: readonly StepView[]): RunStates {
  const known = new Map<string, StepView>();
  for (const view of views) {
    const before = known.get(view.id);
    if (before === undefined || WEIGHT.indexOf(view.state) < WEIGHT.indexOf(before.state)) known.set(view.id, view);
  }
  return {
    of: (step) => known.get(step),
    facts(step) {
      const view = known.get(step);
      if (view === undefined) return {};
      return {
        state: view.state,
        ...defined({ round: view.round > 1 ? view.round : undefined, verdict: view.verdict?.verdict }),
      };
    },
    gate(step) {
      const view = known.get(step);
      if (view?.state === 'waiting') return 'waiting';
      return view?.decision === undefined ? undefined : 'done';
    },
  };
}
