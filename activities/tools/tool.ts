import type { RunRequestBody } from '../../plan/agents/run-request';
import type { SentMessage } from '../../plan/board/exchange';
import type { MemberWork } from '../../plan/board/member-work';
import type { BoardMessage } from '../../plan/board/message';
import type { BoardAnswer, BoardRequest } from '../../plan/board/request';
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

/** A tool that an agent may call. Adding one takes a file and a row in `tool-table.ts`. */
export interface Tool {
  /** For the agent. */
  description: string | ((caller: CallingAgent) => string);
  /** JSON Schema of the arguments; nothing that breaks it reaches the tool. */
  parameters: Json;
  /** Touches files, programs or the network: only agents that list it have it. */
  listedOnly?: true;
  /** Comes with another key of the agent: every agent that is not barred has it, whatever the agent and its step list. */
  unlisted?: true;
  /** Every agent has it, except one that may use no tools (`tools: []`). */
  always?: true;
  /** Why this agent may not have it, in words; the tool is not offered then. Absent: anybody may. */
  barred?(caller: CallingAgent): string | undefined;
  /**
   * May be called twice for one call, if a crash came before its result was recorded. Its failure goes to the agent, unless it is nobody's
   * fault: that ends the activity to be tried again.
   */
  call(args: JsonObject, use: ToolUse): Promise<ToolAnswer>;
}

/** The calling agent. */
export interface CallingAgent {
  agent: string;
  /** Its depth (`plan/agents/spawn-depth.ts`); absent: it calls no other agents. */
  depth?: number;
  /** Agents at this depth or below spawn nobody. */
  maxDepth: number;
  /** The agents of the run, by id; those that it may give work to; those that it may ask and wait for. */
  agents: readonly string[];
  spawns: readonly string[];
  sendsTo: readonly string[];
  /** For an agent above the owner: the owner, whose agents it may not give work to. */
  below?: string;
  /** The channels that it may write to. */
  channels: readonly string[];
  /** The pipelines that it may start. */
  pipelines?: readonly StartablePipeline[];
  /** Agents whose advice it may ask for, by topic. */
  consultants?: Readonly<Record<string, string>>;
  /** Its skills, by name. */
  skills?: readonly string[];
  /** It works as a member of a board. */
  member?: Pick<MemberWork, 'isLead' | 'spawns'>;
  /** The stream of its step. */
  emits?: { name: string; schema: Json; maxItems: number };
}

export interface ToolUse {
  caller: CallingAgent;
  /** The same whenever the same call is made again. */
  idempotencyKey: string;
  signal: AbortSignal;
  /** Must be called between a look into the ledger and an irreversible effect: fails with `worker.lost` if a later attempt is running. */
  requireOwn(): Promise<void>;
  sessions: Sessions;
  runRequests: RunRequests;
  /** Set for a step that emits. */
  items?: AgentItems;
  /** Set for a member of a board. */
  board?: MemberBoard;
  toolbox: ActivityPorts;
  run: LoadedRun;
  input: StepInput;
  agent: AgentDefinition;
  /**
   * Masks secrets in a text. Results are masked in any case; text that is cut must be masked before, since half a secret cannot be
   * recognised.
   */
  mask(text: string): string;
  /** Keeps the output of the tool's programs. @param title names the program. Absent: it is not kept. */
  printed?(title: string): PrintedBy;
  /** The step's folder, absolute; empty for a tool that is not `listedOnly`. */
  cwd: string;
  /** Variables of a worktree for programs, in addition to their usual ones. */
  env?: Readonly<Record<string, string>>;
}

export interface ToolAnswer {
  text: string;
  /** It did not do what was asked; `text` says why. */
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
  /** @param limit how often one try may ask about a topic */
  consult(request: ConsultRequest, limit: number): Promise<ToolAnswer>;
  list(): Promise<SessionView[]>;
  /** How many more may live in addition to the living ones. */
  childrenLeft(): number;
  /** The messages there; undefined if this agent has no such session. */
  history(id: string): Promise<Json[] | undefined>;
}

/** The board of a member, as its tools see it. */
export interface MemberBoard {
  me: MemberWork;
  /** Asks for a decision of the run: the call waits, or the try pauses, until it is there. */
  decide(request: BoardRequest): Promise<BoardAnswer>;
  /** A message, recorded with the call: the run takes it up without a pause. */
  send(message: OutgoingMessage): ToolAnswer;
  /** Messages that have come and were not read, with their whole texts. With the call's result they are recorded as read. */
  inbox(): Promise<readonly BoardMessage[]>;
}

/** To everybody else in the team if it names nobody. */
export type OutgoingMessage = Omit<SentMessage, 'id' | 'from' | 'at'>;

export interface ConsultRequest {
  topic: string;
  question: string;
  context?: Json;
  options?: string[];
  urgency: Urgency;
}

/** An agent's requests to its run. */
export interface RunRequests {
  /** @param limit how many of the kind one try may make */
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
