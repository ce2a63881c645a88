import type { Expr, Path } from '../../plan/expressions/expression';
import type { SourceSpan } from '../diagnostics/diagnostic';
import type { OutputShape } from '../expression/output-shape';
import type { StepPosition } from '../step-positions';

/** The variables that a loop has within it, and what expressions read of them. */

export interface Loop {
  /** If two have the same name, the first is meant. */
  variables: readonly LoopVariable[];
  /** The fields that its output has in addition to one for each step. */
  fields: readonly string[];
}

/** A name that means something else each time the block runs. */
export interface LoopVariable {
  name: string;
  /** The key that may name it. */
  key: string;
  /** Where the variable is named; the loop's id if nothing names it. */
  at: SourceSpan;
  shape(): OutputShape;
  /** What a path of the variable is read from; empty if it is known without reading. */
  reads(path: Path): readonly VariableRead[];
}

/** A path of the loop's items, or of what a step within output the last time. */
export type VariableRead = { from: 'items'; path: Path } | { from: 'last'; step: string; path: Path };

/** A variable together with its loop. */
export interface VariableOf {
  loop: StepPosition;
  variable: LoopVariable;
}

/**
 * What the expressions that control the run read: for each step the only part of its output that enters workflow history, and for each loop
 * the only part of its items.
 */
export interface ControlReads {
  /** @param of the place of the expression; absent for one that is evaluated when all steps have run */
  note(expr: Expr, of?: StepPosition): void;
  of(step: string): { reads: Path[]; stdout: boolean };
  ofItems(loop: string): Path[];
}
