import type { Template } from '../../plan/expressions/expression';
import type { ArgSpec } from '../../plan/plan';
import type { BriefStart } from '../brief/flags';
import type { CompiledChild } from '../compile-context';
import type { Report, SourceSpan } from '../diagnostics/diagnostic';
import type { OutputShape } from '../expression/output-shape';
import type { Blobs } from '../freeze/blobs';
import type { Installation } from '../installation';
import type { Agents } from '../names/agents';
import type { LoadedSchema, Schemas } from '../names/schemas';
import type { PipelineShape } from '../shape/source';
import type { Sources } from '../sources';
import type { StepPosition, StepPositions } from '../step-positions';
import type { ControlReads, VariableOf } from './loop-variable';

/** An action that runs a step which runs only when called (`calls.ts`). */
export interface StepCall {
  step: StepPosition;
  from: StepPosition;
  at: SourceSpan;
}

/** What lowering a step needs to know of everything around it. */
export interface LowerContext {
  /** The pipeline's, as it was given. */
  file: string;
  sources: Sources;
  pipeline: PipelineShape;
  places: StepPositions;
  agents: Agents;
  schemas: Schemas;
  /** Steps that actions call, and the places of the calls. */
  calls: StepCall[];
  blobs: Blobs;
  report: Report;
  /** How the file is started, if it is a brief's. */
  briefStart?: BriefStart;
  /** How an arg is declared. */
  argSpec(name: string): ArgSpec | undefined;
  reads: ControlReads;
  schemaOf(place: StepPosition): LoadedSchema | undefined;
  /** What is known of a step's output. */
  shapeOf(place: StepPosition): OutputShape;
  /** The variables of the loops around a place, innermost first, and which of them a name means. */
  variablesAround(of: StepPosition | undefined): Iterable<VariableOf>;
  variable(name: string, of: StepPosition | undefined): VariableOf | undefined;
  /** The plan behind a `pipeline` step. */
  childOf(place: StepPosition): CompiledChild | undefined;
  /** Environment and folder of every command, if the file sets them. */
  env: ReadonlyMap<string, Template>;
  cwd?: Template;
  /** Agents that somebody named: these and their superiors go into the plan. */
  namedAgents: Set<string>;
  /** People who may decide somewhere: their delegates go into the plan. */
  namedPeople: Set<string>;
  installation: Installation;
  channels: ReadonlySet<string>;
  /** Who decides at gates that name nobody, by channel. Groups are expanded. */
  approvers: ReadonlyMap<string, readonly string[]>;
}
