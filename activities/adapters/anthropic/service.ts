import type { MessageCreateParamsStreaming, RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import type { Stream } from '@anthropic-ai/sdk/streaming';
import { ThermidorFailure } from '../../../plan/failure';
import { notAnApi, type Refusal, serviceName } from '../model/api-failure';
import { type Endpoint, type EndpointOf, resolveEndpoint } from '../model/endpoint';
import { BrokenReply, type ModelReply, type ModelRequest, type ModelService } from '../model/service';
import { type Dialect, FIRST_DIALECT, lasting, simpler } from './dialect';
import { isTooLong, refusedWith, troubleOf } from './failures';
import { type ReplyReader, readReply } from './reply';
import { requestBody, usedBy } from './request';
import { clientFor, loadSdk } from './sdk';
import { watchedFetch } from './watched-fetch';

export interface AnthropicOptions extends EndpointOf {
  /** Until a service begins to answer. Between pieces of a stream `fetch` itself waits as long at most. @default 300000 */
  answerMs?: number;
}

const ANSWER_MS = 300_000;
const PATH = '/v1/messages';

/**
 * Replies of a service that speaks the Messages API, each as a stream.
 *
 * Invariants: 1. one request is one try: nothing is retried here but what was refused for its form, unpaid (`dialect.ts`); 2. when the signal is
 * aborted its socket is closed and the signal's reason is what it fails with; 3. a reply that began and did not end is a `BrokenReply` with what it
 * has used; one whose last piece is missing, but nothing of what it says, is whole; 4. no key is in what it fails with.
 *
 * Retried by Temporal: `model.overloaded`; once, as a new try: `model.api-error`. Not retried: everything else.
 */
export function createAnthropicService(options: AnthropicOptions): ModelService {
  const dialects = new Map<string, Dialect>();
  return {
    name: options.name,
    async reply(request, signal) {
      const endpoint = await resolveEndpoint(options);
      const key = `${endpoint.baseUrl} ${request.model}`;
      const known = dialects.get(key) ?? FIRST_DIALECT;
      let learnt = known;
      for (let dialect = known; ; ) {
        const body = requestBody(request, dialect);
        const answer = await ask({ endpoint, body, request, answerMs: options.answerMs ?? ANSWER_MS }, signal);
        if (answer.kind === 'reply') {
          if (learnt !== known) dialects.set(key, learnt);
          return answer.reply;
        }
        const { refusal } = answer;
        const next = simpler(dialect, usedBy(body), refusal);
        if (next) {
          learnt = lasting(learnt, next, refusal.says ?? '');
          dialect = next;
        } else if (isTooLong(refusal)) return { text: '', calls: [], model: request.model, stop: 'overflow' };
        else throw refusedWith(endpoint, request.model, refusal);
      }
    },
  };
}

interface Asking {
  endpoint: Endpoint;
  body: MessageCreateParamsStreaming;
  request: ModelRequest;
  answerMs: number;
}

type Answer = { kind: 'reply'; reply: ModelReply } | { kind: 'refused'; refusal: Refusal };

async function ask({ endpoint, body, request, answerMs }: Asking, signal: AbortSignal): Promise<Answer> {
  signal.throwIfAborted();
  const sdk = loadSdk();
  const client = clientFor(sdk, endpoint, answerMs, watchedFetch(endpoint, request.alive));
  const headers = { 'idempotency-key': headerText(request.idempotencyKey) };
  const reader = readReply();
  try {
    const { data, response } = await client
      .post<Stream<RawMessageStreamEvent>>(PATH, { body, stream: true, headers, signal, timeout: answerMs })
      .withResponse();
    await requireEvents(endpoint, response);
    for await (const event of data) reader.take(event);
    signal.throwIfAborted();
    return { kind: 'reply', reply: wholeReply(endpoint, request, reader) };
  } catch (error) {
    signal.throwIfAborted();
    // The end of the connection is missing, and nothing else.
    if (reader.isWhole() && !(error instanceof ThermidorFailure)) return { kind: 'reply', reply: reader.reply(request.model) };
    const broken = reader.broken();
    const trouble = troubleOf(sdk, endpoint, error, broken !== undefined);
    if (trouble.kind === 'refused' && !broken) return trouble;
    const failure = trouble.kind === 'refused' ? refusedWith(endpoint, request.model, trouble.refusal) : trouble.failure;
    throw broken ? new BrokenReply(broken.usage, broken.text, failure) : failure;
  }
}

/** Names of runs are anybody's; half a character is no text. */
function headerText(text: string): string {
  return encodeURI(Buffer.from(text).toString('utf8'));
}

function wholeReply({ name }: Endpoint, { model }: ModelRequest, reader: ReplyReader): ModelReply {
  if (reader.isWhole()) return reader.reply(model);
  throw new ThermidorFailure('model.api-error', `adapter "${name}": the stream ended before the reply did`, { adapter: name });
}

const LOOKED_AT = 200;

/** A good status alone is no API. */
async function requireEvents(endpoint: Endpoint, response: Response): Promise<void> {
  const type = response.headers.get('content-type') ?? '';
  if (type === '' || type.includes('event-stream')) return;
  const reader = response.body?.getReader();
  const first = await reader?.read();
  await reader?.cancel();
  const beginning = Buffer.from(first?.value ?? [])
    .toString('utf8')
    .slice(0, LOOKED_AT)
    .trim();
  if (type.includes('html') || beginning.startsWith('<')) throw notAnApi(endpoint, 'html');
  if (!beginning.startsWith('{')) throw notAnApi(endpoint, 'other');
  throw new ThermidorFailure('model.bad-request', `${serviceName(endpoint)} does not stream its replies: is base_url right?`, {
    adapter: endpoint.name,
  });
}
