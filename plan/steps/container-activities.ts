import type { RunRequest } from '../agents/run-request';
import type { Path } from '../expressions/expression';
import type { ArtifactRef, ControlRef } from '../run/artifact';
import type { FailureCode } from '../run/failure';
import type { Json } from '../text/json';
import type { Begins, RenderedApproval, StepInput, StepOutput } from './step-activity';

/** Inputs and results of the activities of chains, pipes, containers and input gates. */

/** The steps of a chain, at least one, each with the input of its own activity. `run` and `loops` apply to all of them. */
export interface CommandsInput {
  run: string;
  steps: { address: string; input: Omit<StepInput, 'run'> }[];
}

/**
 * The results of the first steps, in order, and why the chain stopped before its end: a step failed, its own activity has to do it, or so
 * much time had passed that people want to see where the run is. `cancelled`: nobody waits for the rest any more, but what is done is done.
 */
export interface CommandsOutput {
  done: ChainEnd[];
  failure?: ChainFailure;
  /** When the step that failed began. */
  failed?: Begins & { startedAtMs: number };
  /** The next step needs an activity of its own, which tries it again and has a time-out of its own. */
  alone?: true;
  /** When the step began that was ended. */
  cancelled?: Begins & { startedAtMs: number };
}

/** The result of a chain's step, with times by its worker's clock. */
export interface ChainEnd extends ChainResult {
  /** Its failure, which lets the others continue; its output is empty. */
  failure?: ChainFailure;
  startedAtMs: number;
  endedAtMs: number;
}

export interface ChainResult extends Begins {
  output: StepOutput;
  /** The text that a notification sent. */
  message?: string;
}

export interface ChainFailure {
  code: FailureCode;
  message: string;
  details?: Json;
}

export interface StagesInput extends StepInput {
  /** Where an earlier call halted, and the answer it got. Absent: from the start. */
  from?: { stage: number; items: ArtifactRef; approved?: true; response?: Json };
}

export type StagesOutput = Begins &
  (
    | { kind: 'done'; output: StepOutput }
    /** A stage asks: `approve` for a decision, `ask` for a response that satisfies `schema`. */
    | { kind: 'asks'; stage: number; items: ArtifactRef; gate: 'approval' | 'input'; question: RenderedApproval }
  );

export interface ItemsOutput {
  /** A JSON array. */
  list: ArtifactRef;
  count: number;
  names?: ItemNames;
}

/** The names of a list's items, by index; null for one without a name. Absent: none of them has one. */
export interface ItemNames {
  /** At most `NAMES_AHEAD`. */
  first: (string | null)[];
  /** A JSON array of all names, if there are more. */
  list?: ArtifactRef;
}

/** Names that come into the run's history at once. */
export const NAMES_AHEAD = 100;
/** Items of a longer list are shown by their numbers. */
export const MOST_NAMED = 10_000;

export interface ItemValuesInput {
  run: string;
  list: ArtifactRef;
  from: number;
  /** The first that is not meant. */
  to: number;
  paths: Path[];
}

/** Values for each item of `from`…`to`, by `pathKey`; at most 64 KiB in all. */
export type ItemValuesOutput = Record<string, Json>[];

export interface ComposeInput {
  run: string;
  from: Composition;
}

export type Composition =
  /**
   * Outputs of a `parallel`, merged as the step says: branches that output nothing are `null`. Branches that gave no result are `missing`;
   * absent: all that are `null`.
   */
  | { kind: 'branches'; results: Record<string, ArtifactRef | null>; missing?: string[]; timedOut?: true }
  /** Some iterations of a loop, in order: `{item, index, <step id>: its output}` each. */
  | IterationsComposition
  /** The whole of a loop from its parts, in order. */
  | { kind: 'parts'; parts: ArtifactRef[] }
  /** An object with a field for each step of the container's block, null for a step without an output, and some of its own before them. */
  | { kind: 'fields'; own: Record<string, Json>; results: Record<string, ArtifactRef> }
  /**
   * `as`: not its output, but something that its work needs, under a name of its own. `whole`: fields that have the beginning of a text, as
   * in pages.
   */
  | { kind: 'value'; value: Json; as?: string; whole?: Record<string, string> }
  /**
   * A value whose list `list` may go on in pages: `last` is the latest, and each names the one before it. The items are sorted by their
   * field `by`. If they are too many, the value's field `earlier` names the first page that is left out; so it does for expressions.
   * `whole`: fields of items that have the beginning of a text, each with the field that names the whole in the store, if there is more.
   * The last items have the whole texts, as far as there is room.
   */
  | { kind: 'pages'; value: Record<string, Json>; list: string; by: string; last: ArtifactRef | null; whole?: Record<string, string> }
  /** The step's own `defaults`; fails with `input.no-answer` if it has none, or if they do not satisfy its schema. */
  | { kind: 'defaults' }
  /** Takes over what another step or a child pipeline output. */
  | { kind: 'artifact'; artifact: ArtifactRef };

/** A page of a long list, in the store. */
export interface ListPage {
  before: ArtifactRef | null;
  items: Json[];
}

/** `list` has the items of all iterations, `items` of a stream those of these alone. */
export interface IterationsComposition {
  kind: 'iterations';
  list?: ArtifactRef;
  items?: ArtifactRef[];
  from: number;
  results: Record<string, ArtifactRef>[];
  /** For a stream: the ends of the items that are not done, by index. */
  errors?: Record<string, { code: string; message: string }>;
}

export interface ChildStepInput extends StepInput {
  /** What the child begins with, if this run is a rerun. */
  carried?: ControlRef<'carry'>;
  /** Something that it uses is limited: before it starts, this run reserves a share and records it. */
  budgeted?: true;
  /** An agent of the step starts a run of its own. */
  start?: RunRequest & { kind: 'start' };
}

/** The workflow id under which the ledger has the child's order. */
export interface ChildInput {
  workflowId: string;
}

/** A person's answer at an input gate. */
export interface SentResponse {
  /** Address of the input step. */
  step: string;
  /** The gate's form, if its schema is not the step's own. */
  form?: ArtifactRef;
  response: Json;
}

export interface ResponsesInput {
  run: string;
  responses: readonly SentResponse[];
}

export interface ResponseCheck {
  /** Empty if the response is valid. */
  problems: string[];
}
