import type { HeldView } from '../../../plan/child';
import type { Run } from '../run';
import { childOf } from '../state/kept';
import type { OperatorAnswer, StepRecord } from '../state/record';

/** Steps that wait for an operator. */

/** Of this run. */
export interface OwnHeld {
  kind: 'own';
  path: string;
  record: StepRecord;
  name: string;
}

/** Of a child pipeline, or of one of its own, under the address that it has from here. */
export interface ChildHeld {
  kind: 'child';
  /** Of the `pipeline` step. */
  path: string;
  /** What the child calls it. */
  step: string;
  view: HeldView;
  name: string;
}

/** The step takes it up when it is woken. */
export function answerHeld(record: StepRecord, answer: OperatorAnswer): void {
  if (record.tries?.held) record.tries.held.answer = answer;
}

export function ownHeld(run: Run): OwnHeld[] {
  return run.index
    .live(run.state.records)
    .flatMap(([path, record]) =>
      record.state === 'held' && !record.tries?.held?.answer ? [{ kind: 'own' as const, path, record, name: run.name(path) }] : [],
    );
}

export function childHeld(run: Run): ChildHeld[] {
  return run.index.live(run.state.records).flatMap(([path, record]) => {
    const child = childOf(record);
    if (!child?.held || child.ended) return [];
    return child.held.map((view) => ({ kind: 'child' as const, path, step: view.step, view, name: `${run.name(path)}/${view.step}` }));
  });
}

/** All that an operator can take up here: the run's own, then those of child pipelines. */
export function heldViews(run: Run): HeldView[] {
  return [
    ...ownHeld(run).map(({ name, record: { tries } }) => ({
      step: name,
      reason: tries?.held?.reason ?? '',
      ...(tries?.held ? { since: new Date(tries.held.atMs).toISOString() } : {}),
    })),
    ...childHeld(run).map(({ name, view }) => ({ ...view, step: name })),
  ];
}
