import type { Expr, Path } from '../../plan/expressions/expression';
import type { SourceSpan } from '../diagnostics/diagnostic';
import type { OutputShape } from '../expression/output-shape';
import type { StepPosition } from '../step-positions';

/** What a loop has names for within it, and what expressions read of that. */

export interface Loop {
  /** Where two have the same name, the first is meant. */
  variables: readonly LoopVariable[];
  /** What its output has beside a field for each step. */
  fields: readonly string[];
}

/** A name that means something else each time that the block runs. */
export interface LoopVariable {
  name: string;
  /** The key that may name it. */
  key: string;
  /** Where it is named; the loop's id where nothing names it. */
  at: SourceSpan;
  shape(): OutputShape;
  /** What a path of it is read from; nothing where it is known without reading. */
  reads(path: Path): readonly VariableRead[];
}

/** A path of the loop's items, or of what a step within put out the last time. */
export type VariableRead = { from: 'items'; path: Path } | { from: 'last'; step: string; path: Path };

/** A variable of a loop. */
export interface VariableOf {
  loop: StepPosition;
  variable: LoopVariable;
}

/**
 * What expressions that control the run read: of each step the only part of its output that enters workflow history, and of
 * each loop the only part of its items.
 */
export interface ControlReads {
  /** @param of the place of the expression; absent for what is evaluated when all have run */
  note(expr: Expr, of?: StepPosition): void;
  of(step: string): { reads: Path[]; stdout: boolean };
  ofItems(loop: string): Path[];
}
