import type { CompiledChild } from '../compile-context';
import type { OutputShape } from '../expression/output-shape';
import type { Agents } from '../names/agents';
import type { LoadedSchema, Schemas } from '../names/schemas';
import type { PipelineShape } from '../shape/source';
import type { StepPosition } from '../step-positions';
import type { Loop } from './loop-variable';
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
