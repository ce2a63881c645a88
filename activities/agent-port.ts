import type { Script } from '../plan/agents/script';
import type { ToolCall, ToolResult, ToolSpec } from '../plan/agents/tool';
import type { Usage } from '../plan/budgets/usage';
import type { AgentDefinition } from '../plan/plan';
import type { Address } from '../plan/steps/address';
import type { Json, JsonObject } from '../plan/text/json';
import type { PrintedBy } from '../records/step-logs';
import type { Turn } from '../records/transcripts/turn';

/** What the runner asks of a way to run an agent. Adapters implement it; `test/contract` is its acceptance test. */

/** A way to run an agent. Fails with codes of `model.*`, `agent.*`, `script.*`, `adapter.unavailable`, `secret.missing`. */
export interface AgentAdapter {
  readonly name: string;
  /** What runs agents that name no model; the runner puts it into their definition. */
  readonly model?: string;
  /** Whether it calls `afford` before it uses anything, so that an unknown cost is not paid unasked. */
  readonly affords?: true;
  /** Whether it asks `reserve` before each reply and no reply is longer. Others run under a ceiling in tokens or dollars only with `on_unlimited: allow`. */
  readonly limitsReplies?: true;
  /** Whether a `user` turn that comes into the transcript behind the result of a call is part of what it asks next (`Turn.meanwhile`). */
  readonly hearsMeanwhile?: true;
  /** Whether it runs tools of its own in the step's folder, and none of `AgentRequest.tools`. */
  readonly ownTools?: true;
  /** Whether it works in the step's folder itself. */
  readonly usesFolder?: true;
  /**
   * Yields turns as they come, until the request is answered. What it yields is recorded before it is asked for the next, so what it
   * does next it reads from `request.transcript()`: a request that continues after a crash is then no special case. Ends, its
   * processes and sockets too, within two seconds of the signal.
   */
  run(request: AgentRequest, signal: AbortSignal): AsyncIterable<Turn>;
}

/** One request to an agent within a try. */
export interface AgentRequest {
  /** `workflowId/run/address/ask`: the same whenever the same request is made again. */
  idempotencyKey: string;
  stepId: string;
  address: Address;
  /** 1 for the task, then one more for each repair, and for each word of spawned children. */
  ask: number;
  /** It reports spawned children. */
  isNews?: true;
  /** Of the loops around the step, from the outside in: items are counted from 0, rounds from 1. */
  iterations?: readonly number[];
  agent: AgentDefinition;
  /**
   * What stays the same over all requests of one context: who the agent is and, in a context of one step, the form of its answer. It
   * goes before everything else, unchanged, so that services can cache it.
   */
  system: string;
  /** The last `user` turn of the transcript. */
  prompt: string;
  /** The whole context as it is recorded by now, oldest first: this request's prompt, what came before it, and what has come of it. */
  transcript(): readonly Turn[];
  /** How many turns it begins with that are of other steps (`action: self`). Others continue from them too: runs again, branches, tries. */
  earlier?: number;
  schema?: Json;
  script?: Script;
  /** Fields of the answer that a script need not say. Models get nothing of them. */
  implied?: JsonObject;
  /**
   * The step's folder, absolute: where programs and tools of the agent work. It is there; empty where the adapter does not say
   * `usesFolder` and the agent lists no tools.
   */
  cwd: string;
  /** What its programs see beside what they see anyway: of a worktree. */
  env?: Readonly<Record<string, string>>;
  /** What the request may use. Absent: as much as it wants. */
  maxTokens?: number;
  /** Called before so much is used, where that is known beforehand. Throws where that is not left; the adapter does not catch it. */
  afford?(usage: Usage): void;
  /**
   * Called before each request for a reply: reserves the most that it may read, write and cost, and resolves with how long it may be. Rejects
   * where even the least is not left; the adapter does not catch that. The turn that the reply becomes settles the reservation.
   */
  reserve?(reply: ReplyBound): Promise<number>;
  /** Called where the reserved reply never began and costs nothing. */
  unpaid?(): Promise<void>;
  /** Called before a request for a reply that nothing limits. Throws where the budget forbids one. */
  unlimited?(): void;
  /** Keeps what a program of the agent's prints. Absent: nothing is kept. @param hidden its secrets, beside the run's */
  printed?(hidden: readonly string[]): PrintedBy;
  /** Called at each sign of life that is no turn yet, such as a piece of a stream. */
  alive?(): void;
  tools?: AgentTools;
}

/** What a reply may come to, in tokens. */
export interface ReplyBound {
  /** What the request has at most. */
  input: number;
  /** Asks the service how much it has, if `input` is more than what is left and the service can count. */
  countInput?: () => Promise<number | undefined>;
  wanted: number;
  /** A shorter reply is of no use. */
  least: number;
}

/**
 * What an agent may call. An adapter yields the agent's turn with its `calls`, then makes each here, which checks it, asks for
 * approval where that is needed and records the result. A rejection is for the runner: adapters let it pass. What of the transcript
 * is a call without a result is to be made again by the worker that continues.
 */
export interface AgentTools {
  specs: readonly ToolSpec[];
  /**
   * One after the other, even if several callers call at once.
   *
   * @param recorded of a script: what came of the call once; it is checked as ever, and then this is its result
   */
  call(call: ToolCall, recorded?: ToolResult): Promise<ToolResult>;
}
