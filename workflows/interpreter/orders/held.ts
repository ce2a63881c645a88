import type { HeldView } from '../../../plan/child';
import type { Run } from '../run';
import type { StepRecord } from '../state/record';

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

export function ownHeld(run: Run): OwnHeld[] {
  return Object.entries(run.state.records).flatMap(([path, record]) =>
    record.state === 'held' && !record.operator ? [{ kind: 'own' as const, path, record, name: run.name(path) }] : [],
  );
}

export function childHeld(run: Run): ChildHeld[] {
  return Object.entries(run.state.records).flatMap(([path, { child }]) => {
    if (!child?.held || child.ended) return [];
    return child.held.map((view) => ({ kind: 'child' as const, path, step: view.step, view, name: `${run.name(path)}/${view.step}` }));
  });
}

/** All that an operator can take up here: the run's own, then those of child pipelines. */
export function heldViews(run: Run): HeldView[] {
  return [
    ...ownHeld(run).map(({ name, record: { heldFor, heldAtMs } }) => ({
      step: name,
      reason: heldFor ?? '',
      ...(heldAtMs === undefined ? {} : { since: new Date(heldAtMs).toISOString() }),
    })),
    ...childHeld(run).map(({ name, view }) => ({ ...view, step: name })),
  ];
}
