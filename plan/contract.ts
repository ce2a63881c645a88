import type { ArtifactRef } from './artifact';
import type { ControlPlan } from './control';
import type { EnvelopePayload } from './envelope';
import type { GateView } from './gate';
import type { JournalEntry } from './journal';
import type { Json } from './json';
import type { RunState } from './status';
import type { Usage } from './usage';
import type { VerdictRecord } from './verdict';

/**
 * The contract between workflows, activities and clients: names, inputs, results. Inputs are kept small, because they are
 * what workflow history is made of: run and step are in the activity's own info, the plan is found by the run's ledger.
 */

export const TASK_QUEUE = 'thermidor';

export const SEARCH_ATTRIBUTES = ['ThermidorPipeline', 'ThermidorOwner', 'ThermidorState', 'ThermidorWaitingFor'] as const;
export type SearchAttributeName = (typeof SEARCH_ATTRIBUTES)[number];

/** Input of the workflow. All optional: the workflow type names the pipeline, so `{}` is enough. */
export interface RunInput {
  pipeline?: string;
  args?: Record<string, Json>;
  /** Name of a script beside the pipeline, or its reference where the client read it. */
  script?: string | ArtifactRef;
  /** The frozen plan, where the client compiled it. */
  plan?: ArtifactRef;
  /** Set by continue-as-new only: the state to go on from. */
  resume?: ArtifactRef;
}

/** How a run that closes as Completed ends. */
export interface RunResult {
  status: Extract<RunState, 'completed' | 'rejected'>;
  output: Json;
  /** Artifact of each step that has one. */
  artifacts: Record<string, ArtifactRef>;
  reason?: string;
}

/** What lists and the inbox read without a query. */
export interface RunMemo {
  state: RunState;
  owner?: string;
  gates: Pick<GateView, 'step' | 'kind' | 'question' | 'choices' | 'channel' | 'approvers' | 'openedAt'>[];
}

/** Activities by name. `openRun`, `journal`, `saveState` and `loadState` run as local activities. */
export interface Activities {
  /** Loads and compiles the pipeline (or fetches its frozen plan), checks args, and records what it found: the run is frozen from here on. */
  openRun(input: OpenRunInput): Promise<OpenedRun>;
  agent(input: StepInput): Promise<StepOutput>;
  command(input: StepInput): Promise<StepOutput>;
  /** Renders what a gate shows. */
  gate(input: GateInput): Promise<RenderedGate>;
  notify(input: NotifyInput): Promise<NotifyOutput>;
  journal(input: JournalInput): Promise<ArtifactRef>;
  saveState(input: SaveStateInput): Promise<ArtifactRef>;
  loadState(input: LoadStateInput): Promise<Json>;
}
export type ActivityName = keyof Activities;

export interface OpenRunInput {
  /** Id of the run's first execution: survives continue-as-new and reset. */
  run: string;
  workflowType: string;
  input: RunInput;
  /** When the first execution started, ISO 8601. Absent: when the run is first opened. */
  startedAt?: string;
}

export interface OpenedRun {
  plan: ControlPlan;
  planRef: ArtifactRef;
  args: Record<string, Json>;
  script?: { name: string };
  /** Those the server knows; an unregistered one would wedge the run. */
  searchAttributes: SearchAttributeName[];
}

/** What every step's activity gets. Its address is the activity id. */
export interface StepInput {
  run: string;
  inputs?: Record<string, ArtifactRef>;
  records?: Record<string, Record<string, Json>>;
  findings?: Findings;
  /** The step's own output of the round before. */
  previous?: ArtifactRef;
  note?: TryNote;
  /** An operator's replacement for the inputs. */
  with?: Json;
  messages?: AgentMessage[];
}

/** Why a step runs another round. */
export interface Findings {
  /** Short address of the review that sent it back. */
  review: string;
  report?: ArtifactRef;
  /** What a person at an escalation gate asked for. */
  instructions?: string;
}

/** Why a step runs another try. */
export interface TryNote {
  reason: 'timeout' | 'missing_fields' | 'api_error' | 'retry' | 'operator';
  message: string;
  missingFields?: string[];
  /** The incomplete report. */
  previous?: ArtifactRef;
}

export interface AgentMessage {
  from: string;
  content: Json;
  at: string;
}

export interface StepOutput {
  artifact?: ArtifactRef;
  /** By `pathKey`: exactly the plan's `reads`, at most 64 KiB. */
  values?: Record<string, Json>;
  verdict?: VerdictRecord;
  usage?: Usage;
  adapter?: string;
  /** Repair requests made within the try, each with what was missing. */
  repairs?: { missingFields: string[] }[];
}

/** The key of a read path in `StepOutput.values`; the whole output is `$`. */
export function pathKey(path: readonly (string | number)[]): string {
  return path.length === 0 ? '$' : path.join('.');
}
/** The key under which a command's text output travels, where an expression reads it. */
export const STDOUT_KEY = '$stdout';

export interface GateInput {
  run: string;
  inputs?: Record<string, ArtifactRef>;
  records?: Record<string, Record<string, Json>>;
  /** For an escalation: why it came to a person. Absent: the step's own prompt is rendered. */
  escalation?: { reason: string; chain: string[] };
}

export interface RenderedGate {
  question: string;
  shownSha256: string;
  /** The whole of what is shown, as an artifact. */
  document: ArtifactRef;
}

export interface NotifyInput {
  run: string;
  channel: string;
  /** Plain text. Absent: the message of the notify step itself. */
  message?: string;
  inputs?: Record<string, ArtifactRef>;
  records?: Record<string, Record<string, Json>>;
  payload?: EnvelopePayload;
}
export interface NotifyOutput {
  message: string;
  /** Which adapters took it. */
  deliveredTo: string[];
}

export interface JournalInput {
  run: string;
  entries: JournalEntry[];
}
export interface SaveStateInput {
  run: string;
  /** JSON; what it is made of is the interpreter's own business. */
  state: object;
}
export interface LoadStateInput {
  run: string;
  ref: ArtifactRef;
}
