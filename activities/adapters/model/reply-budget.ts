import { DEFAULT_TURNS } from '../../../plan/plan';
import { ThermidorFailure } from '../../../plan/run/failure';
import { isPrompt, repliesIn, type Turn } from '../../../records/transcripts/turn';
import type { AgentRequest } from '../../agent-port';

/** What a model may still use, by its agent's limits. */

/** Of one reply, where the agent's file does not say. What is thought comes on top. */
export const REPLY_TOKENS = 16_000;

/** Rejects with `agent.turns-used-up` where the try may have no further reply. */
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

/** How long a reply may be, in tokens, what is thought included. */
export interface ReplySize {
  wanted: number;
  /** A shorter one is of no use: none is asked for. */
  least: number;
}

/** No reply of fewer tokens is worth what is read for it. */
const USEFUL_TOKENS = 1024;

export function replySizeOf({ limits = {} }: Pick<AgentRequest['agent'], 'limits'>): ReplySize {
  const { replyTokens: own, thinkingTokens = 0 } = limits;
  const wanted = own ?? REPLY_TOKENS + thinkingTokens;
  return { wanted, least: Math.min(wanted, Math.min(USEFUL_TOKENS, own ?? USEFUL_TOKENS) + thinkingTokens) };
}

/** The same, of a reply that thinks nothing and is shorter than others. */
export function shorterSize({ wanted }: ReplySize, most: number): ReplySize {
  return { wanted: Math.min(wanted, most), least: Math.min(wanted, most, USEFUL_TOKENS) };
}

/** Each request of a try begins with a prompt of its own. */
function turnsOfTry(transcript: readonly Turn[], ask: number): readonly Turn[] {
  const prompts = transcript.flatMap((turn, at) => (isPrompt(turn) ? [at] : []));
  return transcript.slice(prompts.at(-ask) ?? 0);
}
