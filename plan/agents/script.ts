import type { Usage } from '../budgets/usage';
import type { FailureCode } from '../run/failure';
import type { Json } from '../text/json';
import type { ToolResult } from './tool';

/**
 * A script plays the agents of a run, and its people if the command line plays them: for offline runs, tests and demonstrations. The status
 * of a run shows that it uses one.
 */
export interface Script {
  name: string;
  description?: string;
  /**
   * Replies by step id; those of a review's critic by `<step>.critic`, of an agent that the step is escalated to by `<step>@<agent>`, of
   * one that it spawns by `<step>><agent>`. The first entry that fits round, try, ask and prompt is given.
   */
  replies: Record<string, ScriptedReply[]>;
  people: ScriptedPerson[];
}

export interface ScriptedReply {
  /** Absent: any. */
  round?: number;
  try?: number;
  /** Which request within one try: 1 the task itself, 2 the repair. */
  ask?: number;
  /**
   * The iterations of the loops around it, outermost first: items are counted from 0, rounds from 1. If fewer are given than there are
   * loops, the innermost are meant.
   */
  iteration?: number[];
  /** Texts that are all in the prompt. Absent: any prompt. */
  prompt?: string[];
  /** The delay before the reply. @default 0 */
  afterMs?: number;
  reply: ScriptedOutcome;
  usage?: Partial<Usage>;
  /** The text was cut: the service's limit came before its end. */
  cut?: true;
  /** Tools that the agent calls, one after the other, before it gives the reply. */
  calls?: ScriptedCall[];
}

export interface ScriptedCall {
  tool: string;
  args: Json;
  /** The delay before the call. @default 0 */
  afterMs?: number;
  /** The recorded result: the tool is not called again, but its permission is checked again. */
  result?: ToolResult;
}

export type ScriptedOutcome =
  | { kind: 'json'; value: Json }
  /** Verbatim, for replies that are not JSON. */
  | { kind: 'text'; text: string }
  | { kind: 'fail'; code: FailureCode; message: string; retryAfterMs?: number }
  /** Never answers: the step's timeout ends it. */
  | { kind: 'hang' };

/** What a person does at a gate. The command line sends it; a worker never does. */
export interface ScriptedPerson {
  /** The gate's step, in short form, optionally with a round: `review#3`. */
  gate: string;
  /** The delay after the gate opened. @default 0 */
  afterMs?: number;
  choice: 'approve' | 'reject' | 'revise' | 'respond';
  /** The value that is given with `respond`. */
  response?: Json;
  by?: string;
  comment?: string;
}

/** The place of one request to an agent, which decides which of a step's replies it gets. */
export interface ReplyPlace {
  round: number;
  try: number;
  ask: number;
  /** The iterations of the loops around the step, outermost first. */
  iterations?: readonly number[];
}

/** Whether a reply fits this request. */
export function replyFits(reply: Pick<ScriptedReply, 'round' | 'try' | 'ask' | 'iteration'>, at: ReplyPlace): boolean {
  return (
    fits(reply.round, at.round) && fits(reply.try, at.try) && fits(reply.ask, at.ask) && iterationFits(reply.iteration, at.iterations ?? [])
  );
}

function fits(wanted: number | undefined, actual: number): boolean {
  return wanted === undefined || wanted === actual;
}

function iterationFits(wanted: readonly number[] | undefined, actual: readonly number[]): boolean {
  if (wanted === undefined) return true;
  const skipped = actual.length - wanted.length;
  return skipped >= 0 && wanted.every((index, i) => index === actual[skipped + i]);
}

/** The key of the replies of an agent that a matter of a step is escalated to. */
export function escalationKey(step: string, agent: string): string {
  return `${step}@${agent}`;
}

/** The key of the replies of an agent that the step's agent has spawned, or sends to. */
export function spawnKey(step: string, agent: string): string {
  return `${step}>${agent}`;
}

/** The key of the replies of a review's critic. */
export function criticKey(review: string): string {
  return `${review}.critic`;
}
