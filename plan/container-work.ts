import type { ArtifactRef, ControlRef } from './artifact';
import type { Errand } from './errand';
import type { Path } from './expression';
import type { FailureCode } from './failure';
import type { Json } from './json';
import type { RenderedApproval, StepInput, StepOutput } from './step-work';

/** What the activities of chains, pipes, containers and input gates are given, and what they give. */

/** At least one command, each with the input of its own activity. `run` and `loops` are those of all. */
export interface CommandsInput {
  run: string;
  steps: { address: string; input: StepInput }[];
}

/**
 * The results of the first commands, in order, and why it stopped before the end: a command failed, or so much time had passed
 * that people want to see where the run is. `calledOff`: nobody waits for the rest any more, but what is done is done.
 */
export interface CommandsOutput {
  done: { output: StepOutput; startedAtMs: number; endedAtMs: number }[];
  failure?: { code: FailureCode; message: string; details?: Json };
  /** When the command began that was ended. */
  calledOff?: { startedAtMs: number };
}

export interface StagesInput extends StepInput {
  /** Where an earlier call halted, and the answer it got. Absent: from the start. */
  from?: { stage: number; items: ArtifactRef; approved?: true; response?: Json };
}

export type StagesOutput =
  | { kind: 'done'; output: StepOutput }
  /** A stage asks: `approve` for a decision, `ask` for a response that satisfies `schema`. */
  | { kind: 'asks'; stage: number; items: ArtifactRef; gate: 'approval' | 'input'; question: RenderedApproval };

export interface ItemsOutput {
  /** A JSON array. */
  list: ArtifactRef;
  count: number;
}

export interface ItemValuesInput {
  run: string;
  list: ArtifactRef;
  from: number;
  /** The first that is not meant. */
  to: number;
  paths: Path[];
}

/** For each item of `from`…`to`, by `pathKey`; at most 64 KiB in all. */
export type ItemValuesOutput = Record<string, Json>[];

export interface ComposeInput {
  run: string;
  from: Composition;
}

export type Composition =
  /**
   * Of a `parallel`, merged as the step says: branches that output nothing are `null`. Those that gave no result are `missing`;
   * absent: all that are `null`.
   */
  | { kind: 'branches'; results: Record<string, ArtifactRef | null>; missing?: string[]; timedOut?: true }
  /** Some iterations of a loop, in order: `{item, index, <step id>: its output}` each. */
  | { kind: 'iterations'; list: ArtifactRef; from: number; results: Record<string, ArtifactRef>[] }
  /** The whole of a loop from its parts, in order. */
  | { kind: 'parts'; parts: ArtifactRef[] }
  | { kind: 'value'; value: Json }
  /** The step's own `defaults`; fails with `input.no-answer` where it has none, or they do not satisfy its schema. */
  | { kind: 'defaults' }
  /** Takes over what another step or a child pipeline output. */
  | { kind: 'artifact'; artifact: ArtifactRef };

export interface ChildStepInput extends StepInput {
  /** What the child begins with, where this run is a rerun. */
  carried?: ControlRef<'carry'>;
  /** Something that it uses is counted: before it starts, this run reserves a share and says so. */
  budgeted?: true;
  /** An agent of the step starts a run of its own. */
  start?: Errand & { kind: 'start' };
}

/** The workflow id under which the ledger has what the child is to do. */
export type ChildInput = { workflowId: string } | UnrecordedChild;

/** The answer of an earlier version, whose children were given all of it as their input. */
export interface UnrecordedChild {
  plan: ControlRef<'plan'>;
  args: Record<string, Json>;
  /** The parent's own script: a run that is scripted is scripted all the way down. */
  script?: ControlRef<'script'>;
}

export interface ResponseInput {
  run: string;
  /** Address of the input step. */
  step: string;
  /** The gate's form, where its schema is not the step's own. */
  form?: ArtifactRef;
  response: Json;
}

export interface ResponseCheck {
  /** Empty where the response is good. */
  problems: string[];
}
