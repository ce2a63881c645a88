import type { Expr, Path, Template } from '../../plan/expressions/expression';
import type { BlockOf, StepBase } from '../../plan/steps/step-base';
import type { ItemPolicy } from '../../plan/steps/stream';

/** A block once for each item. Puts out a list of `{item, index, <step id>: its output}`. */
export interface ForEachOf<S> extends StepBase {
  kind: 'for_each';
  /** Must be a list; evaluated by an activity, so the list itself never travels. Absent if it goes over a stream. */
  items?: Expr;
  /** The step of the same block whose items it takes while that one works. */
  stream?: string;
  /** Set for a stream. */
  policy?: ItemPolicy;
  block: BlockOf<S>;
  /** @default 'item' */
  itemVar?: string;
  /** @default 'index' */
  indexVar?: string;
  /** The name of an item. Absent: the item itself, if it is short. */
  label?: Template;
  /** Items between two pauses. @default 1 */
  batchSize?: number;
  pauseMs?: number;
  /** Iterations at once. @default 1 */
  maxConcurrent?: number;
  /** Paths of the item that expressions which control the run read. */
  itemReads?: Path[];
}
