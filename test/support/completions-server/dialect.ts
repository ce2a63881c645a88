import type { Dialect } from '../model-server/dialect';
import { checkBody } from './check-body';
import { piecesOf, resultsIn, saidIn } from './pieces';
import { dataFrame, framesOf } from './reply-chunks';
import { type CompletionsReply, call, say } from './served';

export const KEY = 'sk-a-key-of-the-test-server';

/** Chat completions: `POST /v1/chat/completions`, `GET /v1/models`. */
export const COMPLETIONS: Dialect<CompletionsReply> = {
  base: '/v1',
  path: '/v1/chat/completions',
  pages: { '/v1/models': { object: 'list', data: [] } },
  key: KEY,
  hasKey: (headers, key) => headers.authorization === `Bearer ${key}`,
  unauthorized: ({ authorization }) => ({ kind: 'error', status: 401, message: `Incorrect API key provided: ${String(authorization)}` }),
  check: checkBody,
  ...{ piecesOf, saidIn, framesOf },
  errorOf: ({ message = 'error', code = null, param = null }) => ({ error: { message, type: 'error', code, param } }),
  ids: { reply: (n) => `chatcmpl-${n}`, call: (n) => `call_${n}` },
  headersOf: ({ form = 'stream' }) => ({ 'content-type': TYPES[form] }),
  errorFrame: dataFrame,
  voice: {
    say: (text, { inputTokens = 10, outputTokens = 5, cacheReadTokens = 0 }) =>
      say(text, { usage: { prompt: inputTokens + cacheReadTokens, completion: outputTokens, cached: cacheReadTokens } }),
    call: (tool, args) => call([tool, args]),
    refuse: (message) => ({ kind: 'reply', refusal: message }),
    overloaded: 429,
    resultsIn,
  },
};

const TYPES = { stream: 'text/event-stream; charset=utf-8', unmarked: 'text/plain', json: 'application/json' } as const;
