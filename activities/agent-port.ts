import type { Script } from '../plan/agents/script';
import type { ToolCall, ToolResult, ToolSpec } from '../plan/agents/tool';
import type { Usage } from '../plan/budgets/usage';
import type { AgentDefinition } from '../plan/plan';
import type { Address } from '../plan/steps/address';
import type { Json, JsonObject } from '../plan/text/json';
import type { PrintedBy } from '../records/step-logs';
import type { Turn } from '../records/transcripts/turn';

/** The port between the runner and a way to run an agent. Adapters implement it; `test/contract` is its acceptance test. */

/** A way to run an agent. Fails with codes of `model.*`, `agent.*`, `script.*`, `adapter.unavailable`, `secret.missing`. */
export interface AgentAdapter {
  readonly name: string;
  /** The model of agents that name none; the runner puts it into their definition. */
  readonly model?: string;
  /** Whether it calls `afford` before it uses anything, so that an unknown cost is not paid unasked. */
  readonly affords?: true;
  /**
   * Whether it asks `reserve` before each reply and no reply is longer. Others run under a ceiling in tokens or dollars only with
   * `on_unlimited: allow`.
   */
  readonly limitsReplies?: true;
  /** Whether a `user` turn that enters the transcript after the result of a call becomes part of its next request (`Turn.meanwhile`). */
  readonly hearsMeanwhile?: true;
  /** Whether it runs tools of its own in the step's folder, and none of `AgentRequest.tools`. */
  readonly ownTools?: true;
  /** Whether it works in the step's folder itself. */
  readonly usesFolder?: true;
  /**
   * Yields turns as they come, until the request is answered. Each is recorded before the next is requested, so the adapter reads its next
   * action from `request.transcript()`: a request that continues after a crash is then no special case. Ends, with its processes and
   * sockets, within two seconds of the signal.
   */
  run(request: AgentRequest, signal: AbortSignal): AsyncIterable<Turn>;
}

/** One request to an agent within a try. */
export interface AgentRequest {
  /** `workflowId/run/address/ask`: the same whenever the same request is made again. */
  idempotencyKey: string;
  stepId: string;
  address: Address;
  /** 1 for the task, then one more for each repair, and for each news of spawned children. */
  ask: number;
  /** It reports spawned children. */
  isNews?: true;
  /** The loops around the step, outermost first: items are counted from 0, rounds from 1. */
  iterations?: readonly number[];
  agent: AgentDefinition;
  /**
   * The constant part of all requests of one context: who the agent is and, in a context of one step, the form of its answer. It comes
   * before everything else, unchanged, so that services can cache it.
   */
  system: string;
  /** The last `user` turn of the transcript. */
  prompt: string;
  /** The whole recorded context so far, oldest first: earlier turns, this request's prompt, and the turns since. */
  transcript(): readonly Turn[];
  /** How many turns it begins with that are of other steps (`action: self`). Others continue from them too: runs again, branches, tries. */
  earlier?: number;
  /** Who a member of a team is: its context begins with that, and so does each that follows a summary. */
  identity?: MemberIdentity;
  schema?: Json;
  script?: Script;
  /** Fields of the answer that a script may omit. Models do not see them. */
  implied?: JsonObject;
  /**
   * The step's folder, absolute: where programs and tools of the agent work. It exists; it is empty if the adapter does not set
   * `usesFolder` and the agent lists no tools.
   */
  cwd: string;
  /** Variables of a worktree for its programs, in addition to their usual ones. */
  env?: Readonly<Record<string, string>>;
  /** What the request may use. Absent: unlimited. */
  maxTokens?: number;
  /** Called before a use that is known beforehand. Throws if that is not left; the adapter does not catch it. */
  afford?(usage: Usage): void;
  /**
   * Called before each request for a reply: reserves the most that it may read, write and cost, and resolves with how long it may be.
   * Rejects if even the least is not left; the adapter does not catch that. The turn of the reply settles the reservation.
   */
  reserve?(reply: ReplyBound): Promise<number>;
  /** Called if the reserved reply never began and costs nothing. */
  unpaid?(): Promise<void>;
  /** Called before a request for an unlimited reply. Throws if the budget forbids one. */
  unlimited?(): void;
  /** Keeps the output of an agent's program. Absent: it is not kept. @param hidden its secrets, in addition to the run's */
  printed?(hidden: readonly string[]): PrintedBy;
  /** Called at each sign of life that is not a turn yet, such as a piece of a stream. */
  alive?(): void;
  tools?: AgentTools;
}

/** The first two messages of a member's context: who it is, and its acknowledgement. */
export interface MemberIdentity {
  text: string;
  answer: string;
}

/** The limits of a reply, in tokens. */
export interface ReplyBound {
  /** The most tokens of the request. */
  input: number;
  /** Asks the service for the count, if `input` is more than what is left and the service can count. */
  countInput?: () => Promise<number | undefined>;
  wanted: number;
  /** A shorter reply is of no use. */
  least: number;
}

/**
 * The tools that an agent may call. An adapter yields the agent's turn with its `calls`, then makes each here, which checks it, asks for
 * approval if needed and records the result. A rejection is for the runner: adapters let it pass. Calls in the transcript without a result
 * must be made again by the worker that continues.
 */
export interface AgentTools {
  specs: readonly ToolSpec[];
  /**
   * Calls run one after the other, even if several callers call at once.
   *
   * @param recorded for a script: the call's recorded result; the call is still checked, and then this is its result
   */
  call(call: ToolCall, recorded?: ToolResult): Promise<ToolResult>;
}
