import { openAiService } from '../../../activities/adapters/openai/service';
import { defined } from '../../../plan/defined';
import { COMPLETIONS } from '../../support/completions-server/dialect';
import type { CompletionsReply } from '../../support/completions-server/served';
import { fail } from '../../support/model-server/served';
import { serviceUnderTest, spoilable } from './model-service';
import type { Answer } from './stand-in';

/** Chat completions. It reports usage at the end of a reply. */
export const OPENAI = serviceUnderTest({
  kind: 'openai',
  dialect: COMPLETIONS,
  service: openAiService,
  replyOf,
  // The role and the first piece come before.
  within: 3,
  refusals: {
    key: (key) => fail(401, `Incorrect API key provided: ${key}`),
    model: fail(404, 'The model does not exist', { code: 'model_not_found' }),
    length: fail(400, "This model's maximum context length is 4096 tokens", { code: 'context_length_exceeded' }),
  },
});

function replyOf(reply: Answer['reply']): CompletionsReply {
  const { calls = [], usage, stop, raw, model } = reply;
  return {
    kind: 'reply',
    text: spoilable(reply),
    calls: calls.map(({ tool, args }) => ({ name: tool, args })),
    usage: { prompt: usage.inputTokens, completion: usage.outputTokens },
    ...defined({ model }),
    ...(stop === undefined ? {} : { finish: stop === 'cut' ? 'length' : 'content_filter' }),
    ...(raw ? { fault: { kind: 'invalid-utf8' } } : {}),
  };
}
