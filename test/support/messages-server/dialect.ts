import { defined } from '../../../plan/defined';
import type { Dialect } from '../model-server/dialect';
import { checkBody } from './check-body';
import { piecesOf, resultsIn, saidIn } from './pieces';
import { eventFrame, framesOf } from './reply-events';
import { call, type MessagesReply, say } from './served';

export const KEY = 'sk-ant-a-key-of-the-test-server';

/** The Messages API: `POST /v1/messages`, streamed. */
export const MESSAGES: Dialect<MessagesReply> = {
  base: '',
  path: '/v1/messages',
  key: KEY,
  hasKey: (headers, key) => headers['x-api-key'] === key || headers.authorization === `Bearer ${key}`,
  unauthorized: () => ({ kind: 'error', status: 401, message: 'invalid x-api-key' }),
  check: (body, headers) => [
    ...(/^\d{4}-\d\d-\d\d$/.test(String(headers['anthropic-version'])) ? [] : ['anthropic-version: header is required']),
    ...(/^application\/json/.test(headers['content-type'] ?? '') ? [] : ['content-type: application/json is required']),
    ...checkBody(body),
  ],
  ...{ piecesOf, saidIn, framesOf },
  errorOf: ({ status, type = ERROR_TYPES[status] ?? 'api_error', message = type }) => ({
    type: 'error',
    error: { type, message },
    request_id: 'req_1',
  }),
  ids: { reply: (n) => `msg_${n}`, call: (n) => `toolu_${n}` },
  headersOf: (_, id) => ({ 'content-type': 'text/event-stream; charset=utf-8', 'request-id': id }),
  errorFrame: (error) => eventFrame({ type: 'error', error }),
  voice: {
    say: (text, { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }) =>
      say(text, {
        usage: {
          ...defined({ input: inputTokens, output: outputTokens, cacheRead: cacheReadTokens, cacheWrite: cacheWriteTokens }),
        },
      }),
    call: (tool, args) => call([tool, args]),
    refuse: (message) => say(message, { stop: 'refusal' }),
    overloaded: 529,
    resultsIn,
  },
};

/** The API's names of errors, by status. */
const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};
