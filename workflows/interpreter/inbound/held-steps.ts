import { defined } from '../../../plan/defined';
import type { HeldStepView } from '../../../plan/run/status';
import type { Run } from '../run';
import { itemNameAt, joinedNames } from '../state/item-name';
import { childStateOf } from '../state/kind-state';
import type { OperatorAnswer, StepRecord } from '../state/step-record';

/** Steps that wait for an operator. */

/** A held step of this run. */
export interface OwnHeldStep {
  kind: 'own';
  path: string;
  record: StepRecord;
  name: string;
}

/** A held step of a child pipeline, or of one of its own, under its address from here. */
export interface ChildHeldStep {
  kind: 'child';
  /** The path of the `pipeline` step. */
  path: string;
  /** The child's name for it. */
  step: string;
  view: HeldStepView;
  name: string;
}

/** The step takes it up when it is woken. */
export function answerHeldStep(record: StepRecord, answer: OperatorAnswer): void {
  if (record.tries?.held) record.tries.held.answer = answer;
}

export function ownHeldSteps(run: Run): OwnHeldStep[] {
  return run.index
    .live(run.state.records)
    .flatMap(([path, record]) =>
      record.state === 'held' && !record.tries?.held?.answer ? [{ kind: 'own' as const, path, record, name: run.name(path) }] : [],
    );
}

export function childHeldSteps(run: Run): ChildHeldStep[] {
  return run.index.live(run.state.records).flatMap(([path, record]) => {
    const child = childStateOf(record);
    if (!child?.held || child.ended) return [];
    return child.held.map((view) => ({ kind: 'child' as const, path, step: view.step, view, name: `${run.name(path)}/${view.step}` }));
  });
}

/** All that an operator can take up here: the run's own, then those of child pipelines. */
export function heldStepViews(run: Run): HeldStepView[] {
  return [
    ...ownHeldSteps(run).map(({ name, path, record: { tries } }) => ({
      step: name,
      ...defined({ item: itemNameAt(run, path) }),
      reason: tries?.held?.reason ?? '',
      ...defined({ since: tries?.held && new Date(tries.held.atMs).toISOString() }),
    })),
    ...childHeldSteps(run).map(({ name, path, view }) => ({
      ...view,
      step: name,
      ...defined({ item: joinedNames([itemNameAt(run, path), view.item]) }),
    })),
  ];
}
