import type { Form } from '../../plan/expressions/form';
import type { FrozenQuorum } from '../../plan/people/quorum';
import type { Action } from '../../plan/steps/action';
import type { StepBase } from '../../plan/steps/step-base';
import type { IncrementGate } from './rules/words';

/**
 * A plan is delivered in increments (docs/patterns.md, CP-6), all in the step's one worktree. `parts` are the steps it runs in turns, one
 * turn for each attempt: `<id>_executor` does the tasks, `<id>_<gate>` is a command that must pass, `<id>_validator` judges, and
 * `<id>_final` validates the whole in the end.
 */
export interface IncrementsOf<S> extends StepBase {
  kind: 'increments';
  parts: S[];
  /** The tasks. */
  matter: Form;
  executor: string;
  validator?: string;
  /** Its gates, in the order in which they are checked. */
  gates: IncrementGate[];
  /** Attempts at an increment after the first. */
  fixes: number;
  /** An increment has as many times this as it has tasks. */
  taskTimeoutMs: number;
  /** The limit of each command: a gate, and the validation of the whole. */
  timeoutMs: number;
  /** It stops if a larger share of the increments is lost. */
  blockedShare: FrozenQuorum;
  onBlocked: Action[];
}

/** Its parts apart from those of the gates. */
export const EXECUTOR_PART = 'executor';
export const VALIDATOR_PART = 'validator';
export const FINAL_PART = 'final';

export const DEFAULT_FIXES = 3;
export const DEFAULT_TASK_MS = 20 * 60_000;
export const DEFAULT_COMMAND_MS = 30 * 60_000;
export const HALF: FrozenQuorum = { share: [1, 2] };
