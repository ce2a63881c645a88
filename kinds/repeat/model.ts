import type { Expr } from '../../plan/expressions/expression';
import type { Action } from '../../plan/steps/action';
import type { BlockOf, StepBase } from '../../plan/steps/step-base';

/**
 * A block in rounds, one after the other, until an expression holds. Outputs `{round, exhausted, <step id>: its output}` of the last round.
 * Its time-out is for all rounds together.
 */
export interface RepeatOf<S> extends StepBase {
  kind: 'repeat';
  /** Evaluated at the end of each round; sees the round's steps. */
  until: Expr;
  /** Rounds at most. */
  max: number;
  block: BlockOf<S>;
  /** The number of the round, from 1, within the block. */
  roundVar: string;
  /** `{<step id>: its output}` of the round before, within the block; null in the first. */
  lastVar: string;
  /** After `max` rounds without `until`. Absent: the step fails with `repeat.exhausted`. */
  onExhausted?: Action[];
}
