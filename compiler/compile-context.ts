import type { Plan } from '../plan/plan';
import type { BriefStart } from './brief/flags';
import type { Located, Report, SourceLocation } from './diagnostics/diagnostic';
import type { OutputShape } from './expression/output-shape';
import type { Blobs } from './freeze/blobs';
import type { Installation } from './installation';
import type { Sources } from './sources';

/** How deeply pipelines may be nested: a pipeline, its children, and four levels more. */
export const CHILD_DEPTH_LIMIT = 5;

/** Another pipeline, compiled. Its plan is a blob, and so is everything that the plan names. */
export interface CompiledChild {
  plan: Plan;
  planSha256: string;
  output: OutputShape;
}

/**
 * Compiles the pipeline at a path, written from the folder of the file that names it. Undefined if it cannot be read or has mistakes; the
 * reason has been reported, here or in the file itself. The same file is compiled once.
 *
 * @param who how a Lobster file's mistakes name the step
 */
export type Include = (path: Located<string>, who?: string) => CompiledChild | undefined;

/** What a dialect needs, besides a file's tree, to lower it. */
export interface CompileContext {
  sourceText: string;
  sources: Sources;
  installation: Installation;
  blobs: Blobs;
  include: Include;
  /** Whether the pipeline at a path is being compiled: this one, or one that holds it. */
  isOpen(path: string): boolean;
  report: Report;
  /** Also reads the agents in the pipeline's folder that nothing names. */
  everyAgent?: true;
  /** How the file is started, if it is a brief's. */
  briefStart?: BriefStart;
}

/** A file's plan, and the known facts about its runs' output. It is a valid plan only if no error was reported. */
export interface LoweredPlan {
  plan: Plan;
  output: OutputShape;
  /** Where each agent is defined, by id. */
  agentPlaces?: ReadonlyMap<string, SourceLocation>;
}
