import { defined } from '../../plan/defined';
import type { AgentLimits } from '../../plan/plan';
import type { Report } from '../diagnostics/diagnostic';
import { type Entry, entryOf } from '../read/node';
import { readMapping } from '../shape/read-rows';

/** Reads an agent's `limits: {turns: 20}`. Thinking is part of the reply. */
export function readLimits(entry: Entry, report: Report): AgentLimits | undefined {
  const source = readMapping(entry, 'agent-limits', { report });
  if (!source) return undefined;
  const { node, turns, toolCalls, replyTokens, thinkingTokens } = source;
  const thinking = entryOf(node, 'thinking_tokens');
  if (thinking && replyTokens !== undefined && thinkingTokens !== undefined && thinkingTokens >= replyTokens) {
    const message = `"thinking_tokens" is ${thinkingTokens}, which leaves nothing of ${replyTokens} "reply_tokens" for the answer`;
    report('shape.out-of-range', thinking.value.at, message, 'make it less than `reply_tokens`');
  }
  const limits: AgentLimits = defined({ turns, toolCalls, replyTokens, thinkingTokens });
  return Object.keys(limits).length > 0 ? limits : undefined;
}
