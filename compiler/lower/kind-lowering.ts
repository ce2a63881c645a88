import type { Path } from '../../plan/expressions/expression';
import type { CompiledChild } from '../compile-context';
import type { SourceSpan } from '../diagnostics/diagnostic';
import type { OutputShape } from '../expression/output-shape';
import type { Agents } from '../names/agents';
import type { LoadedSchema, Schemas } from '../names/schemas';
import type { PipelineShape } from '../shape/source';
import type { StepPosition } from '../step-positions';
import type { LowerContext } from './lower-context';
import type { LoweredStep, StepContext } from './step-context';

/** How a kind of step comes into the plan, and what is known of its output. `work` is the step as it was read. */
export interface KindLowering<W> {
  /** Undefined where it cannot be made; why is reported. */
  lower(work: W, here: StepContext): LoweredStep | undefined;
  /** What is known of its output. */
  output(work: W, place: StepPosition, shapes: Shapes): OutputShape;
  /** The schema of its output. Absent: nothing says how that looks. */
  schema?(work: W, sources: SchemaSources): LoadedSchema | undefined;
  /** Of a kind whose block runs many times: what is known within it alone. */
  loop?(work: W, place: StepPosition, context: LowerContext): Loop;
}

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

/** What shapes are made of. */
export interface Shapes {
  schemaOf(place: StepPosition): LoadedSchema | undefined;
  childOf(place: StepPosition): CompiledChild | undefined;
  /** The shape of another step, as one within. */
  of(place: StepPosition): OutputShape;
}

export interface SchemaSources {
  schemas: Schemas;
  agents: Agents;
  owner: PipelineShape['owner'];
}
