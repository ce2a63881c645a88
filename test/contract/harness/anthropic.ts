import { createAnthropicService } from '../../../activities/adapters/anthropic/service';
import { defined } from '../../../plan/defined';
import { MESSAGES } from '../../support/messages-server/dialect';
import type { MessagesReply } from '../../support/messages-server/served';
import { fail } from '../../support/model-server/served';
import { serviceUnderTest, spoilable } from './model-service';
import type { Answer } from './stand-in';

/** The Messages API. */
export const ANTHROPIC = serviceUnderTest({
  kind: 'anthropic',
  dialect: MESSAGES,
  service: createAnthropicService,
  abilities: ['early-usage'],
  replyOf,
  // `message_start`, `ping`, the block and its first piece come before.
  within: 5,
  refusals: {
    key: (key) => fail(401, `invalid x-api-key: ${key}`),
    model: fail(404, 'model: not found'),
    length: fail(400, 'prompt is too long: 200001 tokens > 200000 maximum'),
  },
});

function replyOf(reply: Answer['reply']): MessagesReply {
  const { calls = [], usage, stop, raw, model } = reply;
  const text = spoilable(reply);
  return {
    kind: 'reply',
    content: [
      ...(text === '' ? [] : [{ type: 'text', text }]),
      ...calls.map(({ tool, args }) => ({ type: 'tool_use', name: tool, input: args })),
    ],
    usage: { input: usage.inputTokens, output: usage.outputTokens },
    ...defined({ model }),
    ...(stop === undefined ? {} : { stop: stop === 'cut' ? 'max_tokens' : 'refusal' }),
    ...(raw ? { fault: { kind: 'invalid-utf8' } } : {}),
  };
}
