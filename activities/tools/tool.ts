import type { RunRequestBody } from '../../plan/agents/run-request';
import type { Urgency } from '../../plan/patterns/advice';
import type { AgentDefinition, StartablePipeline } from '../../plan/plan';
import type { StepInput } from '../../plan/steps/step-activity';
import type { Json, JsonObject } from '../../plan/text/json';
import { jsonText } from '../../plan/text/json-text';
import type { PrintedBy } from '../../records/step-logs';
import type { ToolEffect } from '../../records/transcripts/transcript-log';
import type { ActivityPorts } from '../activity-ports';
import type { LoadedRun } from '../run/loaded-run';
import type { AgentItems } from '../streams/stream-types';

/** Something an agent may call. Adding one is a file and a row in `tool-table.ts`. */
export interface Tool {
  /** For the agent. */
  description: string | ((caller: CallingAgent) => string);
  /** JSON Schema of the arguments; nothing that breaks it reaches the tool. */
  parameters: Json;
  /** Touches files, programs or the network: only agents that list it have it. */
  listedOnly?: true;
  /** Comes with another key of the agent: who is not barred has it, whatever the agent and its step list. */
  unlisted?: true;
  /** Every agent has it, but one that may use no tools at all (`tools: []`). */
  always?: true;
  /** Why this agent may not have it, in words; the tool is not offered then. Absent: anybody may. */
  barred?(caller: CallingAgent): string | undefined;
  /**
   * May be called twice for one call, where a crash came before its result was recorded. Its failure goes to the agent, but
   * for what is nobody's fault, which ends the activity to be tried again.
   */
  call(args: JsonObject, use: ToolUse): Promise<ToolAnswer>;
}

/** Who calls. */
export interface CallingAgent {
  agent: string;
  /** As `plan/agents/spawn-depth.ts` counts it; absent: it calls on no other agents. */
  depth?: number;
  /** Agents at this depth or below spawn nobody. */
  maxDepth: number;
  /** The agents of the run, by id; those that it may give work to; those that it may ask and wait for. */
  agents: readonly string[];
  spawns: readonly string[];
  sendsTo: readonly string[];
  /** The owner below it, whose agents are not its to give work to. */
  below?: string;
  /** The channels that it may write to. */
  channels: readonly string[];
  /** The pipelines that it may start. */
  pipelines?: readonly StartablePipeline[];
  /** Whose advice it may ask for, by topic. */
  consultants?: Readonly<Record<string, string>>;
  /** Its skills, by name. */
  skills?: readonly string[];
  /** What its step emits. */
  emits?: { name: string; schema: Json; maxItems: number };
}

export interface ToolUse {
  caller: CallingAgent;
  /** The same whenever the same call is made again. */
  idempotencyKey: string;
  signal: AbortSignal;
  /** To be called between a look into the ledger and what cannot be taken back: fails with `worker.lost` where a later attempt is running. */
  requireOwn(): Promise<void>;
  sessions: Sessions;
  runRequests: RunRequests;
  /** Of a step that emits. */
  items?: AgentItems;
  toolbox: ActivityPorts;
  run: LoadedRun;
  input: StepInput;
  agent: AgentDefinition;
  /** Takes secrets out of a text. Results are masked in any case; what is cut is masked before, since nobody knows half a secret. */
  mask(text: string): string;
  /** Keeps what a program prints that the tool runs. @param title says which it is. Absent: nothing is kept. */
  printed?(title: string): PrintedBy;
  /** The step's folder, absolute; empty for a tool that is not `listedOnly`. */
  cwd: string;
  /** What programs see beside what they see anyway: of a worktree. */
  env?: Readonly<Record<string, string>>;
}

export interface ToolAnswer {
  text: string;
  /** It did not do what it was asked for; `text` says why. */
  refused?: true;
  /** Recorded with the answer. */
  effect?: ToolEffect;
}

/** The agents that an agent has called on. */
export interface Sessions {
  spawn(request: {
    agent: string;
    task: string | JsonObject;
    previous?: string;
    missingFields?: string[];
    schema?: Json;
  }): Promise<ToolAnswer>;
  send(request: { agent: string; message: string | JsonObject; timeoutSeconds?: number; schema?: Json }): Promise<ToolAnswer>;
  /** @param limit how often a topic may be asked about in one try */
  consult(request: ConsultRequest, limit: number): Promise<ToolAnswer>;
  list(): Promise<SessionView[]>;
  /** How many more may live beside those that do. */
  childrenLeft(): number;
  /** What was said there; undefined where there is no such session of this agent's. */
  history(id: string): Promise<Json[] | undefined>;
}

export interface ConsultRequest {
  topic: string;
  question: string;
  context?: Json;
  options?: string[];
  urgency: Urgency;
}

/** What an agent has its run do. */
export interface RunRequests {
  /** @param limit how many of the kind one try may ask for */
  ask(order: RunRequestBody, limit: number): ToolAnswer;
  start(order: Pick<RunRequestBody & { kind: 'start' }, 'pipeline' | 'plan' | 'args'>, limit: number): ToolAnswer;
}

export type SessionView = {
  id: string;
  kind: 'spawn' | 'send';
  agent: string;
  state: 'running' | 'done' | 'failed' | 'open';
};

export function refused(text: string): ToolAnswer {
  return { text, refused: true };
}

export function answer(value: Json): ToolAnswer {
  return { text: jsonText(value) };
}
