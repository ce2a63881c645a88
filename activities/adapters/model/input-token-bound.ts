import type { Turn } from '../../../records/transcripts/turn';
import { contextTokens, jsonTokens, MESSAGE_TOKENS, textTokens, turnTokens } from '../../../records/transcripts/turn-tokens';
import type { ModelRequest } from './service';

/**
 * How many tokens a request has at most. Pure.
 *
 * A constant covers what a service adds around a tool. The usage of the last reply is known and needs no bound.
 */

/** Tokens around one tool. */
const TOOL_TOKENS = 128;
/** Tokens around a request, with the text by which services explain tool calls or the answer's format to a model. */
const REQUEST_TOKENS = 768;

export type Bounded = Pick<ModelRequest, 'system' | 'turns' | 'tools' | 'schema'>;

/** @param isKnown whether the usage of a turn is of this very conversation, so that it has all that is before */
export function inputBound(request: Bounded, isKnown: (turn: Turn) => boolean): number {
  const { turns } = request;
  const at = turns.findLastIndex((turn) => knownTokens(turn) > 0 && isKnown(turn));
  const last = turns[at];
  if (!last) return fixedTokens(request) + contextTokens(request.system, turns);
  return knownTokens(last) + MESSAGE_TOKENS * (1 + (last.calls?.length ?? 0)) + sum(turns.slice(at + 1), turnTokens);
}

/** How much a service's own count may be short: it is an estimate. */
export function aroundTokens({ turns, tools }: Bounded): number {
  return turns.length * MESSAGE_TOKENS + tools.length * TOOL_TOKENS;
}

function fixedTokens({ tools, schema }: Bounded): number {
  const offered = sum(
    tools,
    ({ name, description, parameters }) => TOOL_TOKENS + textTokens(name) + textTokens(description) + jsonTokens(parameters),
  );
  return REQUEST_TOKENS + offered + (schema === undefined ? 0 : jsonTokens(schema));
}

/** The next request includes what a reply has read and written. */
function knownTokens({ role, usage }: Turn): number {
  if (role !== 'assistant' || !usage || usage.inPart) return 0;
  return usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
