import type { AgentLimits } from '../../plan/plan';
import type { Report } from '../diagnostics/diagnostic';
import type { AGENT_LIMITS_ROWS } from '../language/mappings/agent';
import { entryOf } from '../read/node';
import type { SourceOf } from '../shape/source-of';
import { withoutPlaces } from '../shape/without-places';

/** What one try may take. Thinking is part of the reply. */
export function limitsOf(source: SourceOf<typeof AGENT_LIMITS_ROWS>, report: Report): AgentLimits | undefined {
  const { node, replyTokens, thinkingTokens } = source;
  const thinking = entryOf(node, 'thinking_tokens');
  if (thinking && replyTokens !== undefined && thinkingTokens !== undefined && thinkingTokens >= replyTokens) {
    const message = `"thinking_tokens" is ${thinkingTokens}, which leaves nothing of ${replyTokens} "reply_tokens" for the answer`;
    report('shape.out-of-range', thinking.value.at, message, 'make it less than `reply_tokens`');
  }
  const limits: AgentLimits = withoutPlaces(source);
  return Object.keys(limits).length > 0 ? limits : undefined;
}
