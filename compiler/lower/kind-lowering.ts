import type { CompiledChild } from '../compile-context';
import type { OutputShape } from '../expression/output-shape';
import type { Agents } from '../names/agents';
import type { LoadedSchema, Schemas } from '../names/schemas';
import type { PipelineShape } from '../shape/source';
import type { StepPosition } from '../step-positions';
import type { Loop } from './loop-variable';
import type { LowerContext } from './lower-context';
import type { LoweredStep, StepContext } from './step-context';

/** How a kind of step comes into the plan, and the known facts about its output. `work` is the step as it was read. */
export interface KindLowering<W> {
  /** Undefined if the step cannot be lowered; the reason is reported. */
  lower(work: W, here: StepContext): LoweredStep | undefined;
  /** What is known of the step's output. */
  output(work: W, place: StepPosition, shapes: Shapes): OutputShape;
  /** The schema of the step's output. Absent: its shape is unknown. */
  schema?(work: W, sources: SchemaSources): LoadedSchema | undefined;
  /** For a kind whose block runs many times: the variables known within it. */
  loop?(work: W, place: StepPosition, context: LowerContext): Loop;
}

/** What computing an output's shape needs. */
export interface Shapes {
  schemaOf(place: StepPosition): LoadedSchema | undefined;
  childOf(place: StepPosition): CompiledChild | undefined;
  /** The shape of another step, for example one within this one. */
  of(place: StepPosition): OutputShape;
}

export interface SchemaSources {
  schemas: Schemas;
  agents: Agents;
  owner: PipelineShape['owner'];
}
