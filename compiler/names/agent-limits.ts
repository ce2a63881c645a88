import type { AgentLimits } from '../../plan/plan';
import type { Report } from '../diagnostics/diagnostic';
import { RANGES } from '../language/ranges';
import { type Entry, entryOf } from '../read/node';
import { checkKeys } from '../shape/keys';
import { integerOf, mappingOf } from '../shape/values';
import { keysOf } from '../shape/vocabulary';

const LIMITS = [
  ['turns', 'turns', RANGES.turns],
  ['tool_calls', 'toolCalls', RANGES.toolCalls],
  ['reply_tokens', 'replyTokens', RANGES.replyTokens],
  ['thinking_tokens', 'thinkingTokens', RANGES.replyTokens],
] as const;

/** Reads an agent's `limits: {turns: 20}`. Thinking is part of the reply. */
export function readLimits(entry: Entry, report: Report): AgentLimits | undefined {
  const node = mappingOf(entry, report, 'a mapping such as {turns: 20}');
  if (!node) return undefined;
  checkKeys(node, { what: 'an agent’s "limits"', known: keysOf('agent-limits') }, report);
  const limits: AgentLimits = {};
  for (const [key, field, { min, max }] of LIMITS) {
    const written = entryOf(node, key);
    const value = written && integerOf(written, min, max, report);
    if (value !== undefined) limits[field] = value;
  }
  const { replyTokens, thinkingTokens } = limits;
  const thinking = entryOf(node, 'thinking_tokens');
  if (thinking && replyTokens !== undefined && thinkingTokens !== undefined && thinkingTokens >= replyTokens) {
    const message = `"thinking_tokens" is ${thinkingTokens}, which leaves nothing of ${replyTokens} "reply_tokens" for the answer`;
    report('shape.out-of-range', thinking.value.at, message, 'make it less than `reply_tokens`');
  }
  return Object.keys(limits).length > 0 ? limits : undefined;
}
