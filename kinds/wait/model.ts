import type { Expr } from '../../plan/expressions/expression';
import type { StepBase } from '../../plan/steps/step-base';

/** Exactly one of `forMs`, `until` and `signal`. With `signal`, `timeoutMs` is how long it waits. */
export interface WaitStep extends StepBase {
  kind: 'wait';
  forMs?: number;
  /** A moment: ISO 8601 text or milliseconds since the epoch. */
  until?: Expr;
  /** The time zone of an `until` that names none. Absent: the worker's. */
  zone?: string;
  /** The name of a signal; its payload is the output of the step. */
  signal?: string;
}
