import type { Plan } from '../plan/plan';
import type { Located, Report, SourceLocation } from './diagnostics/diagnostic';
import type { OutputShape } from './expression/output-shape';
import type { Blobs } from './freeze/blobs';
import type { Installation } from './installation';
import type { Sources } from './sources';

/** How deep pipelines may are in each other: a pipeline, its children, and four levels more. */
export const CHILD_DEPTH_LIMIT = 5;

/** Another pipeline, compiled. Its plan is a blob, and so is whatever the plan names. */
export interface CompiledChild {
  plan: Plan;
  planSha256: string;
  output: OutputShape;
}

/**
 * Compiles the pipeline at a path, written from the folder of the file that names it. Undefined where it cannot be had;
 * why has been reported, there or in the file itself. The same file is compiled once.
 *
 * @param who how a Lobster file's mistakes name the step
 */
export type Include = (path: Located<string>, who?: string) => CompiledChild | undefined;

/** What a dialect makes of a file's tree, it makes out of this. */
export interface CompileContext {
  sourceText: string;
  sources: Sources;
  installation: Installation;
  blobs: Blobs;
  include: Include;
  /** Whether the pipeline at a path is being compiled: this one, or one that holds it. */
  isOpen(path: string): boolean;
  report: Report;
  /** Agents that nothing names are read as well, where they are beside the file. */
  everyAgent?: true;
}

/** A file's plan, and what is known of the output of its runs. It is only a plan where no error was reported. */
export interface LoweredPlan {
  plan: Plan;
  output: OutputShape;
  /** Where each agent is defined, by id. */
  agentPlaces?: ReadonlyMap<string, SourceLocation>;
}
