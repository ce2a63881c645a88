import type { ArtifactRef, ControlRef, Sha256 } from './artifact';
import type { Json } from './json';
import type { StepState } from './status';

/**
 * What a rerun brings over from the run before it: the records of steps that are not done again, by reference to what they put
 * out. A client asks the run for it (query `carry`), stores it, and starts the new run with it.
 */
export interface CarryQuery {
  /** Address of the step to begin from; of a child pipeline's step a long one. */
  from: string;
  /** Steps that must run again whatever they are: they read an arg that has changed. By id. */
  again?: string[];
}

/** The JSON of the artifact that `RunInput.carried` names. */
export interface Carry {
  /** The one run that may begin with it. Absent in what a child pipeline begins with: that comes from its parent. */
  begins?: { plan: Sha256; args: Record<string, Json> };
  /** The run that it comes from. */
  run: string;
  from: string;
  /** By path. What a record is made of is the interpreter's own business. */
  records: Record<string, CarriedRecord>;
  /** What a child pipeline begins with that runs again from a step within it, by the path of its step. */
  children?: Record<string, ControlRef<'carry'>>;
}

/** As much of a record as anybody but the interpreter may read. */
export interface CarriedRecord {
  state: StepState;
  round: number;
  try: number;
  artifact?: ArtifactRef;
}

export interface CarryAnswer {
  carry: Carry;
  /** Paths of steps that had run, or run still, and will run again. */
  again: string[];
  /** The step to begin from stands in a child pipeline: that one is to be asked for what it carries, `from` this address. */
  child?: { path: string; run: string; from: string };
  /** What is otherwise than was asked for, in words. */
  notes: string[];
}

/** Why a run cannot be begun from there, in words. */
export interface CarryProblem {
  problem: string;
}
