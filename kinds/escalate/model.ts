import type { Form } from '../../plan/expressions/form';
import type { Action } from '../../plan/steps/action';
import type { StepBase } from '../../plan/steps/step-base';
import type { EscalationLevel } from './rules/diagnose';

/**
 * An issue goes up level by level until one of them solves it (docs/patterns.md, CP-5). `parts` are the steps it runs in turns, one turn
 * for each attempt: `<id>_<agent>` for each level, `<id>_person` for the last, `<id>_apply` and `<id>_workaround` for the first agent, who
 * carries out others' answers, and `<id>_check` to check the solution.
 */
export interface EscalateOf<S> extends StepBase {
  kind: 'escalate';
  parts: S[];
  /** The issue. Absent: the step runs only when an action calls it, which provides the issue. */
  matter?: Form;
  /** The levels from L0 on; the last is a person. */
  levels: LevelSpec[];
  /** What follows when a level finds that more than this step is wrong. */
  onRootCause?: Action[];
  /** L1's solutions become patterns for L0. */
  remember?: true;
}

export interface LevelSpec extends EscalationLevel {
  /** The name of its part. */
  part: string;
}

/** Its parts apart from those of the agents. */
export const PERSON_PART = 'person';
export const APPLY_PART = 'apply';
export const WORKAROUND_PART = 'workaround';
export const CHECK_PART = 'check';

/** Attempts of L0, and of each other level. */
export const FIRST_ATTEMPTS = 2;
export const OTHER_ATTEMPTS = 1;
