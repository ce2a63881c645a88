import type { Path } from '../../plan/expression';
import type { Child } from '../child';
import type { Spot } from '../diagnostics/diagnostic';
import type { OutputShape } from '../expression/output-shape';
import type { Agents } from '../names/agents';
import type { LoadedSchema, Schemas } from '../names/schemas';
import type { Place } from '../places';
import type { PipelineSource } from '../shape/source';
import type { Context } from './context';
import type { Here, LoweredStep } from './here';

/** How a kind of step comes into the plan, and what is known of its output. `work` is the step as it was read. */
export interface Lowering<W> {
  /** Undefined where it cannot be made; why is reported. */
  lower(work: W, here: Here): LoweredStep | undefined;
  /** What is known of its output. */
  output(work: W, place: Place, shapes: Shapes): OutputShape;
  /** The schema of its output. Absent: nothing says how that looks. */
  schema?(work: W, sources: SchemaSources): LoadedSchema | undefined;
  /** Of a kind whose block runs many times: what is known within it alone. */
  loop?(work: W, place: Place, context: Context): Loop;
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
  at: Spot;
  shape(): OutputShape;
  /** What a path of it is read from; nothing where it is known without reading. */
  reads(path: Path): readonly VariableRead[];
}

/** A path of the loop's items, or of what a step within put out the last time. */
export type VariableRead = { from: 'items'; path: Path } | { from: 'last'; step: string; path: Path };

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
