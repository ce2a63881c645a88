import type { StepOutput } from '../steps/step-activity';
import type { Json } from '../text/json';
import type { ArtifactRef, ControlRef, Sha256 } from './artifact';
import type { LookedUpCall } from './ledger-lookup';
import type { StepState } from './step-state';
import type { CarriedWorktree } from './worktree';

/**
 * What a rerun takes over from the earlier run: the records of steps that are not done again, with references to their outputs. A client
 * asks the run for it (query `carry`), stores it, and starts the new run with it.
 */
export interface CarryQuery {
  /** Address of the step to begin from; a long one for a child pipeline's step. */
  from: string;
  /** Steps that must run again whatever they are: they read an arg that has changed. By id. */
  again?: string[];
  /** What differs in the new run, in words, and the ids of the affected steps: `{"arg amount": ["pay"]}`. */
  changed?: Record<string, string[]>;
  /** Another script, or none, plays the agents of the new run. */
  otherScript?: true;
  /** Who starts the new run. */
  startedBy?: string;
  /** They prove it with their token. */
  provenStarter?: true;
  /** The ledger's data on the work that an earlier answer named as `unreported`, by call. */
  recorded?: Record<string, StepOutput>;
  /** For a child pipeline: what differs after its step, in words. Its last gates cover that. */
  behind?: string;
}

/** The JSON of the artifact that `RunInput.carried` names. */
export interface Carry {
  /** The one run that may begin with it. Absent in a child pipeline's: that comes from its parent. */
  begins?: { plan: Sha256; args: Record<string, Json>; script?: Sha256; startedBy?: string; provenStarter?: true };
  /** The run that it comes from. */
  run: string;
  from: string;
  /** Records by path. Their content is the interpreter's own business. */
  records: Record<string, CarriedRecord>;
  /** The contents of its steps' worktrees, by slot. */
  worktrees?: Record<string, CarriedWorktree>;
  /** What a child pipeline that is rerun from an inner step begins with, by the path of its step. */
  children?: Record<string, ControlRef<'carry'>>;
}

/** The part of a record that others than the interpreter may read. */
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
  /** What happens to the decisions that people have made. */
  gates: CarriedGates;
  /** The step to begin from is in a child pipeline: ask that one what it carries, `from` this address. */
  child?: { path: string; run: string; from: string; behind?: string };
  /**
   * Work that was in progress when the run ended and whose outcome it does not know, as after a termination. A reader of the ledger looks
   * it up, under the id of the first execution `run`, and asks again with the finished calls.
   */
  unreported?: { run: string; calls: LookedUpCall[] };
  /** Differences from the request, in words. */
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
  /** Empty if the gate's timeout decided. */
  by: string[];
  /** ISO 8601. */
  at?: string;
  identity?: 'claimed' | 'proven';
}

/** Why a run cannot be begun from there, in words. */
export interface CarryProblem {
  problem: string;
}
