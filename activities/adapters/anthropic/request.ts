import type { MessageCreateParamsStreaming, TextBlockParam, ThinkingConfigParam, Tool } from '@anthropic-ai/sdk/resources/messages';
import type { ToolSpec } from '../../../plan/agents/tool';
import { defined } from '../../../plan/defined';
import { isJsonObject } from '../../../plan/text/json';
import { REPLY_TOKENS } from '../model/reply-budget';
import type { ModelRequest } from '../model/service';
import { type AnthropicMessage, keepsThinking, messagesOf } from './messages';
import { outputSchema } from './output-format';
import type { MessagesFeatures, UsedFeatures } from './request-features';

/**
 * The body of a request. Pure: one context has the same beginning in each of its requests, so that the service reads it from its cache.
 *
 * Invariant: there are at most three marks for the cache: after tools and system, and after the last two messages of the user. The next
 * request looks at the later of those first, this one at the earlier.
 */
export function requestBody(request: ModelRequest, dialect: MessagesFeatures): MessageCreateParamsStreaming {
  const { model, system, turns, tools } = request;
  const messages = messagesOf(turns);
  const maxTokens = Math.min(request.maxTokens ?? REPLY_TOKENS, dialect.mostTokens ?? Number.POSITIVE_INFINITY);
  const thinking = thinkingOf(request, messages, maxTokens, dialect);
  const schema = dialect.format && request.schema !== undefined ? outputSchema(request.schema) : undefined;
  const hasSystem = system.trim() !== '';
  return {
    model,
    max_tokens: maxTokens,
    stream: true,
    ...defined({
      tools: tools.length > 0 ? toolsOf(tools, !hasSystem) : undefined,
      system: hasSystem ? [{ type: 'text', text: system, cache_control: EPHEMERAL } satisfies TextBlockParam] : undefined,
    }),
    messages: withMarks(messages),
    ...defined({ thinking, output_config: schema ? { format: { type: 'json_schema', schema } } : undefined }),
  };
}

/** The features of a dialect that a body uses. */
export function usedBy({ output_config, thinking, max_tokens }: MessageCreateParamsStreaming): UsedFeatures {
  return { format: output_config !== undefined, thinking: thinking !== undefined, maxTokens: max_tokens };
}

const EPHEMERAL = { type: 'ephemeral' } as const;
const MARKED_MESSAGES = 2;

function toolsOf(tools: readonly ToolSpec[], marked: boolean): Tool[] {
  return tools.map(({ name, description, parameters }, at) => ({
    name,
    description,
    input_schema: { ...(isJsonObject(parameters) ? parameters : {}), type: 'object' },
    ...(marked && at === tools.length - 1 ? { cache_control: EPHEMERAL } : {}),
  }));
}

function withMarks(messages: readonly AnthropicMessage[]): AnthropicMessage[] {
  const asked = messages.flatMap(({ role }, at) => (role === 'user' ? [at] : [])).slice(-MARKED_MESSAGES);
  return messages.map((message, at) => (asked.includes(at) ? marked(message) : message));
}

function marked({ role, content }: AnthropicMessage): AnthropicMessage {
  const last = content.at(-1);
  if (last?.type !== 'text' && last?.type !== 'tool_result') return { role, content };
  return { role, content: [...content.slice(0, -1), { ...last, cache_control: EPHEMERAL }] };
}

const LEAST_THINKING = 1024;

/** A budget for thinking is part of the reply's limit, and smaller than it. */
function thinkingOf(
  { thinkingTokens }: ModelRequest,
  messages: readonly AnthropicMessage[],
  maxTokens: number,
  { thinking }: MessagesFeatures,
): ThinkingConfigParam | undefined {
  if (thinkingTokens === undefined || thinking === 'none') return undefined;
  if (thinkingTokens <= 0) return { type: 'disabled' };
  if (thinking === 'adaptive') return { type: 'adaptive' };
  const budget = Math.min(Math.max(thinkingTokens, LEAST_THINKING), maxTokens - 1);
  return budget < LEAST_THINKING || !keepsThinking(messages) ? undefined : { type: 'enabled', budget_tokens: budget };
}
