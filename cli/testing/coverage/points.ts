import { goesInRounds, holdsBranches, iterates } from '../../../kinds/questions';
import type { Expr } from '../../../plan/expressions/expression';
import { writeExpr } from '../../../plan/expressions/write-expression';
import type { Plan } from '../../../plan/plan';
import { type Action, actionsIn, describeAction } from '../../../plan/steps/action';
import type { Step } from '../../../plan/steps/step';
import { stepsOfPlan } from '../../../plan/steps/walk';

/** A point of a pipeline that a test can reach: a step, or a branch, which is a way that the run can take there. */
export interface Point {
  kind: 'step' | 'when' | 'action' | 'branch' | 'body';
  step: string;
  /** The branch: `when true`, `on_block: escalate to human`. */
  what: string;
  /** Unique in the pipeline. */
  key: string;
}

export const ACTION_KEYS = [
  'on_revise',
  'on_block',
  'on_stall',
  'on_unfixable',
  'on_reject',
  'on_timeout',
  'on_invalid',
  'on_exhausted',
  'on_fail',
  'on_blocked',
  'on_misaligned',
  'on_root_cause',
  'on_conflict',
  'on_error',
] as const;
export type CoveredActionKey = (typeof ACTION_KEYS)[number];

/** All points of a pipeline; those of its child pipelines are for their own tests. */
export function pointsOf(plan: Plan): Point[] {
  return stepsOfPlan(plan).flatMap((step) => [
    { kind: 'step', step: step.id, what: 'runs', key: stepKey(step.id) },
    ...whenPoints(step),
    ...withinPoints(step),
    ...ACTION_KEYS.flatMap((key) => actionPoints(step, key)),
  ]);
}

export function stepKey(step: string): string {
  return `step ${step}`;
}

export function whenKey(step: string, outcome: boolean): string {
  return `when ${step} ${outcome}`;
}

export function actionKey(step: string, key: CoveredActionKey, index: number): string {
  return `action ${step} ${key} ${index}`;
}

function whenPoints({ id, when }: Step): Point[] {
  if (!when) return [];
  return outcomesOf(when).map((outcome) => ({
    kind: 'when',
    step: id,
    what: `when ${writeExpr(when)} is ${outcome}`,
    key: whenKey(id, outcome),
  }));
}

/** The outcomes that a condition can have. `always()` alone is never false: a branch that no test can reach does not count. */
function outcomesOf(when: Expr): boolean[] {
  return when.kind === 'call' && when.function === 'always' ? [true] : [true, false];
}

function withinPoints(step: Step): Point[] {
  if (holdsBranches(step)) {
    return step.branches.map(({ id }) => ({ kind: 'branch', step: step.id, what: `branch ${id}`, key: `branch ${step.id} ${id}` }));
  }
  return iterates(step)
    ? [{ kind: 'body', step: step.id, what: goesInRounds(step) ? 'a round' : 'an iteration', key: `body ${step.id}` }]
    : [];
}

function actionPoints(step: Step, key: CoveredActionKey): Point[] {
  return coveredActions(step, key).map((action, index) => ({
    kind: 'action',
    step: step.id,
    what: `${key}: ${'kind' in action ? describeAction(action) : action.outcome}`,
    key: actionKey(step.id, key, index),
  }));
}

/** The actions under a key of a step, in order. The outcome of a timeout is not an action, and is the only one there. */
export function coveredActions(step: Step, key: CoveredActionKey): readonly (Action | { outcome: string })[] {
  switch (key) {
    case 'on_error':
      return step.onError ?? [];
    case 'on_invalid':
      return actionsIn(step, 'onInvalid') ?? [];
    case 'on_exhausted':
      return actionsIn(step, 'onExhausted') ?? [];
    case 'on_fail':
      return actionsIn(step, 'onFail') ?? [];
    case 'on_blocked':
      return actionsIn(step, 'onBlocked') ?? [];
    case 'on_misaligned':
      return actionsIn(step, 'onMisaligned') ?? [];
    case 'on_root_cause':
      return actionsIn(step, 'onRootCause') ?? [];
    case 'on_conflict':
      return actionsIn(step, 'onConflict') ?? [];
    case 'on_block':
      return actionsIn(step, 'onBlock') ?? [];
    case 'on_stall':
      return actionsIn(step, 'onStall') ?? [];
    case 'on_unfixable':
      return actionsIn(step, 'onUnfixable') ?? [];
    case 'on_reject':
      return actionsIn(step, 'onReject') ?? step.approval?.onReject ?? [];
    case 'on_revise':
      return actionsIn(step, 'onRevise') ?? [];
    case 'on_timeout':
      return 'onTimeout' in step && step.onTimeout ? [{ outcome: step.onTimeout }] : [];
  }
}
