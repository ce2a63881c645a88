import { tokensOf } from '../../../plan/budgets/usage';
import { DEFAULT_TURNS } from '../../../plan/plan';
import { ThermidorFailure } from '../../../plan/run/failure';
import { isPrompt, repliesIn, type Turn } from '../../../records/transcripts/turn';
import type { AgentRequest } from '../../agent-port';

/** What a model may still use, by its agent's limits and the request's budget. */

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

/**
 * How long the next reply may be at most, by the budget of tokens. The whole context goes into it again, so what the last reply had before
 * it is used already, and the budget is asked for that much.
 *
 * @param spent what was used since the request's `maxTokens` was set
 * @param least what the reply needs: one token, or more where it was cut before
 */
export function replyTokens(request: AgentRequest, spent: number, wanted = replySizeOf(request.agent).wanted, least = 1): number {
  const { maxTokens, afford, reserve, transcript } = request;
  const read = knownInput(transcript());
  // What it costs `reserve` sees to, where there is one.
  const costMicroUsd = reserve ? 0 : null;
  afford?.({ inputTokens: 0, outputTokens: least, cacheReadTokens: read, cacheWriteTokens: 0, costMicroUsd });
  return maxTokens === undefined ? wanted : Math.max(1, Math.min(wanted, maxTokens - spent - read));
}

/** Tokens that turns have used. */
export function usedTokens(turns: readonly Turn[]): number {
  return turns.reduce((sum, { usage }) => sum + (usage ? tokensOf(usage) : 0), 0);
}

/** What the next request has to read at least: it is longer than the one before. A condensed context is as short as its summary. */
function knownInput(transcript: readonly Turn[]): number {
  const last = transcript.findLast(({ role, usage, stop }) => role === 'assistant' && usage !== undefined && stop !== 'broken');
  if (!last?.usage) return 0;
  return last.stop === 'condensed' ? last.usage.outputTokens : tokensOf(last.usage);
}

/** Each request of a try begins with a prompt of its own. */
function turnsOfTry(transcript: readonly Turn[], ask: number): readonly Turn[] {
  const prompts = transcript.flatMap((turn, at) => (isPrompt(turn) ? [at] : []));
  return transcript.slice(prompts.at(-ask) ?? 0);
}
