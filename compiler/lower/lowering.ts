import type { Child } from '../child';
import type { OutputShape } from '../expression/output-shape';
import type { Agents } from '../names/agents';
import type { LoadedSchema, Schemas } from '../names/schemas';
import type { Place } from '../places';
import type { PipelineSource } from '../shape/source';
import type { Here, LoweredStep } from './here';

/** How a kind of step comes into the plan, and what is known of its output. `work` is the step as it was read. */
export interface Lowering<W> {
  /** Undefined where it cannot be made; why is reported. */
  lower(work: W, here: Here): LoweredStep | undefined;
  /** What is known of its output. */
  output(work: W, place: Place, shapes: Shapes): OutputShape;
  /** The schema of its output. Absent: nothing says how that looks. */
  schema?(work: W, sources: SchemaSources): LoadedSchema | undefined;
}

/** What shapes are made of. */
export interface Shapes {
  schemaOf(place: Place): LoadedSchema | undefined;
  childOf(place: Place): Child | undefined;
  /** The shape of another step, as one within. */
  of(place: Place): OutputShape;
}

export interface SchemaSources {
  schemas: Schemas;
  agents: Agents;
  owner: PipelineSource['owner'];
}
