import type { ToolCall } from '../../plan/agents/tool';
import type { Usage } from '../../plan/budgets/usage';
import type { Json } from '../../plan/text/json';

/**
 * Why a turn of the agent's without calls is not a complete reply: `goes-on` the rest follows; `aside` it was an intermediate remark, and
 * the reply is another; `cut` the service's limit came first; `empty` the service gave no reply; `refused` the model refused; `broken` the
 * connection was lost, and it only accounts for the cost; `condensed` it is a summary that replaces everything before it.
 */
export const TURN_STOPS = ['goes-on', 'aside', 'cut', 'empty', 'refused', 'broken', 'condensed'] as const;
export type TurnStop = (typeof TURN_STOPS)[number];

export interface Turn {
  role: 'user' | 'assistant' | 'tool';
  text: string;
  usage?: Usage;
  /** For an agent's turn: the model that answered, if the adapter knows. It determines the price. */
  model?: string;
  /** For an agent's turn: its calls, all at once. Each gets a turn of its own with the result. */
  calls?: readonly ToolCall[];
  /** For a tool's turn: the call of which it is the result. */
  call?: ToolCall;
  /** For a tool's turn: it did not do what was asked. */
  refused?: true;
  stop?: TurnStop;
  /** For a user's turn: not a prompt, but a message that came while the agent worked on one. */
  meanwhile?: true;
  /** For an agent's turn: the reply in the service's format, for the adapter that continues from here. Nobody else reads it. */
  message?: Json;
}

/** Whether a turn opens a request. */
export function isPrompt({ role, meanwhile }: Turn): boolean {
  return role === 'user' && !meanwhile;
}

/** The turns after the last prompt. */
export function turnsOfRequest(transcript: readonly Turn[]): readonly Turn[] {
  return transcript.slice(transcript.findLastIndex(isPrompt) + 1);
}

/** Whether a turn ends its request: the agent calls nothing, and no more is to come. A reply that was cut, or empty, ends it too. */
export function isReply({ role, calls, stop }: Turn): boolean {
  return role === 'assistant' && !calls?.length && (stop === undefined || stop === 'cut' || stop === 'empty');
}

/** How many calls an agent has made, through the runner or by itself. */
export function callsMade(turns: readonly Turn[]): number {
  return turns.reduce((sum, { calls = [] }) => sum + calls.length, 0);
}

/**
 * How often the model has answered: broken-off replies and summaries do not count, and calls of one reply that were reported separately
 * count as one.
 */
export function repliesIn(turns: readonly Turn[]): number {
  return turns.filter((turn, at) => isOwnReply(turn) && !goesOnWith(turns[at - 1])).length;
}

/** Whether calls belong to one reply that a program reports piece by piece: none of them has a result yet when the next is reported. */
function goesOnWith(before: Turn | undefined): boolean {
  return before?.role === 'assistant' && (before.calls?.length ?? 0) > 0;
}

function isOwnReply({ role, stop }: Turn): boolean {
  return role === 'assistant' && stop !== 'broken' && stop !== 'condensed';
}

/** The number of the awaited reply, or of the one whose calls are being made. */
export function turnUnderWay(turns: readonly Turn[]): number {
  const replies = repliesIn(turns);
  const last = turns.at(-1);
  const isAwaited = openCalls(turns).length === 0 && !(last !== undefined && isReply(last));
  return isAwaited ? replies + 1 : replies;
}

/** Calls of the request that have no result yet, in order. */
export function openCalls(transcript: readonly Turn[]): ToolCall[] {
  const turns = turnsOfRequest(transcript);
  const done = new Set(turns.flatMap(({ role, call }) => (role === 'tool' && call ? [call.id] : [])));
  return turns.flatMap(({ calls = [] }) => calls).filter(({ id }) => !done.has(id));
}
