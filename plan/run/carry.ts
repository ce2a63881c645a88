import type { StepOutput } from '../steps/step-activity';
import type { Json } from '../text/json';
import type { ArtifactRef, ControlRef, Sha256 } from './artifact';
import type { LookedUpCall } from './ledger-lookup';
import type { StepState } from './step-state';
import type { CarriedWorktree } from './worktree';

/**
 * What a rerun brings over from the run before it: the records of steps that are not done again, by reference to what they put
 * out. A client asks the run for it (query `carry`), stores it, and starts the new run with it.
 */
export interface CarryQuery {
  /** Address of the step to begin from; of a child pipeline's step a long one. */
  from: string;
  /** Steps that must run again whatever they are: they read an arg that has changed. By id. */
  again?: string[];
  /** What is otherwise in the new run, in words, and the ids of the steps that it reaches: `{"arg amount": ["pay"]}`. */
  changed?: Record<string, string[]>;
  /** The agents of the new run are answered for by another script, or by none. */
  otherScript?: true;
  /** Who starts the new run. */
  startedBy?: string;
  /** They prove it with their token. */
  provenStarter?: true;
  /** What the ledger has of the work that an answer before named as `unreported`, by call. */
  recorded?: Record<string, StepOutput>;
  /** Of a child pipeline: what is otherwise behind its step, in words. Its last gates cover that. */
  behind?: string;
}

/** The JSON of the artifact that `RunInput.carried` names. */
export interface Carry {
  /** The one run that may begin with it. Absent in what a child pipeline begins with: that comes from its parent. */
  begins?: { plan: Sha256; args: Record<string, Json>; script?: Sha256; startedBy?: string; provenStarter?: true };
  /** The run that it comes from. */
  run: string;
  from: string;
  /** By path. What a record is made of is the interpreter's own business. */
  records: Record<string, CarriedRecord>;
  /** What is in the worktrees of its steps, by slot. */
  worktrees?: Record<string, CarriedWorktree>;
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
  /** What becomes of the decisions that people have made. */
  gates: CarriedGates;
  /** The step to begin from is in a child pipeline: that one is to be asked for what it carries, `from` this address. */
  child?: { path: string; run: string; from: string; behind?: string };
  /**
   * Work that was in progress when the run ended and whose outcome it does not know, as after a termination. A reader of the ledger
   * looks it
   * up, under the id of the first execution `run`, and asks again with what is done.
   */
  unreported?: { run: string; calls: LookedUpCall[] };
  /** What is otherwise than was asked for, in words. */
  notes: string[];
}

export interface CarriedGates {
  carried: CarriedGate[];
  again: { gate: string; because: string }[];
}

/** A decision that holds in the new run as well. */
export interface CarriedGate {
  /** Short address of its step. */
  gate: string;
  choice: string;
  /** Empty where the time of the gate decided. */
  by: string[];
  /** ISO 8601. */
  at?: string;
  identity?: 'claimed' | 'proven';
}

/** Why a run cannot be begun from there, in words. */
export interface CarryProblem {
  problem: string;
}
