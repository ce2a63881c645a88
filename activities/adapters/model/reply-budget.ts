import { DEFAULT_TURNS } from '../../../plan/plan';
import { ThermidorFailure } from '../../../plan/run/failure';
import { isPrompt, repliesIn, type Turn } from '../../../records/transcripts/turn';
import type { AgentRequest } from '../../agent-port';

/** What a model may still use within its agent's limits. */

/** The limit of one reply, if the agent's file does not say. Thinking comes on top. */
export const REPLY_TOKENS = 16_000;

/** Rejects with `agent.turns-used-up` if the try may have no further reply. */
export function requireTurn({ agent, ask, transcript }: AgentRequest): void {
  const limit = agent.limits?.turns ?? DEFAULT_TURNS;
  const used = repliesIn(turnsOfTry(transcript(), ask));
  if (used < limit) return;
  throw new ThermidorFailure(
    'agent.turns-used-up',
    `agent "${agent.id}" used up its ${limit} turns without an answer; limits.turns of its file raises that`,
    { agent: agent.id, turns: used },
  );
}

/** How long a reply may be, in tokens, thinking included. */
export interface ReplySize {
  wanted: number;
  /** A shorter one would be useless and is not requested. */
  least: number;
}

/** A reply of fewer tokens is not worth the cost of its input. */
const USEFUL_TOKENS = 1024;

export function replySizeOf({ limits = {} }: Pick<AgentRequest['agent'], 'limits'>): ReplySize {
  const { replyTokens: own, thinkingTokens = 0 } = limits;
  const wanted = own ?? REPLY_TOKENS + thinkingTokens;
  return { wanted, least: Math.min(wanted, Math.min(USEFUL_TOKENS, own ?? USEFUL_TOKENS) + thinkingTokens) };
}

/** The size of a shorter reply without thinking. */
export function shorterSize({ wanted }: ReplySize, most: number): ReplySize {
  return { wanted: Math.min(wanted, most), least: Math.min(wanted, most, USEFUL_TOKENS) };
}

/** Each request of a try begins with a prompt of its own. */
function turnsOfTry(transcript: readonly Turn[], ask: number): readonly Turn[] {
  const prompts = transcript.flatMap((turn, at) => (isPrompt(turn) ? [at] : []));
  return transcript.slice(prompts.at(-ask) ?? 0);
}
