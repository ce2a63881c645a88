import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages';
import { isCount } from '../../../plan/budgets/reported-usage';
import { ThermidorFailure } from '../../../plan/run/failure';
import { field } from '../../../plan/text/json';
import { type ApiRefusal, apiFailure, serviceName } from '../model/api-failure';
import { type Endpoint, type EndpointOf, resolveEndpoint } from '../model/endpoint';
import { BrokenReply, type CountRequest, type ModelReply, type ModelRequest, type ModelService } from '../model/service';
import { type RequestFailure, requestFailureOf } from './api-errors';
import { clientFetch } from './client-fetch';
import { type ReplyReader, readReply } from './reply';
import { requestBody, usedBy } from './request';
import { ALL_FEATURES, type MessagesFeatures, rememberedFeatures, withoutRefusedFeature } from './request-features';
import { clientFor, loadSdk, messagesPath } from './sdk';
import { readStreamEvent } from './stream-events';

/**
 * Replies of a service that speaks the Messages API, each as a stream.
 *
 * Invariants: 1. one request is one try: the only retries are of requests that were refused for their form, unpaid (`request-features.ts`),
 * with another `idempotency-key`; 2. when the signal is aborted its socket is closed and it fails with the signal's reason; 3. a reply that
 * began and did not end is a `BrokenReply` with its usage; one that lacks only its last piece, and no content, is complete; 4. no failure
 * contains a key; 5. it has no time limit of its own: the signal has.
 *
 * Retried by Temporal: `model.overloaded`; once, as a new try: `model.api-error`. Not retried: everything else.
 */
export function createAnthropicService(options: EndpointOf): ModelService {
  const dialects = new Map<string, MessagesFeatures>();
  return {
    name: options.name,
    async reply(request, signal) {
      const endpoint = await resolveEndpoint(options);
      const key = `${endpoint.baseUrl} ${request.model}`;
      const known = dialects.get(key) ?? ALL_FEATURES;
      let learnt = known;
      let dialect = known;
      for (let attempt = 1; ; attempt++) {
        const body = requestBody(request, dialect);
        const answer = await ask({ endpoint, body, request, attempt }, signal);
        if (answer.kind === 'reply') {
          if (learnt !== known) dialects.set(key, learnt);
          const { maxTokens = body.max_tokens } = request;
          return body.max_tokens < maxTokens ? { ...answer.reply, ownLimit: true } : answer.reply;
        }
        const { refusal } = answer;
        const next = withoutRefusedFeature(dialect, usedBy(body), refusal);
        if (next) {
          learnt = rememberedFeatures(learnt, next, refusal.says ?? '');
          dialect = next;
        } else if (refusal.because === 'context-length') return { text: '', calls: [], model: request.model, stop: 'overflow' };
        else throw apiFailure(endpoint, request.model, refusal);
      }
    },
    async countInput(request, signal) {
      const endpoint = await resolveEndpoint(options);
      return await countInput(endpoint, request, dialects.get(`${endpoint.baseUrl} ${request.model}`) ?? ALL_FEATURES, signal);
    },
  };
}

interface Asking {
  endpoint: Endpoint;
  body: MessageCreateParamsStreaming;
  request: ModelRequest;
  /** Counts from 1. */
  attempt: number;
}

type Answer = { kind: 'reply'; reply: ModelReply } | { kind: 'refused'; refusal: ApiRefusal };

async function ask(asking: Asking, signal: AbortSignal): Promise<Answer> {
  signal.throwIfAborted();
  const { endpoint, request } = asking;
  const reader = readReply();
  const trouble = await readAnswer(asking, reader, signal);
  signal.throwIfAborted();
  const broken = reader.broken();
  if (trouble?.kind === 'refused' && !broken) return trouble;
  try {
    // If the reply is complete, only the end of the connection is missing.
    if (!trouble || (trouble.kind !== 'failed' && reader.isWhole())) return { kind: 'reply', reply: wholeReply(endpoint, request, reader) };
    throw trouble.kind === 'refused' ? apiFailure(endpoint, request.model, trouble.refusal) : trouble.failure;
  } catch (error) {
    throw broken && error instanceof ThermidorFailure ? new BrokenReply(broken.usage, broken.text, error) : error;
  }
}

/** Undefined if the answer ended without a reply. */
async function readAnswer(asking: Asking, reader: ReplyReader, signal: AbortSignal): Promise<RequestFailure | undefined> {
  const { endpoint, body, request, attempt } = asking;
  const sdk = await loadSdk();
  const headers = { 'idempotency-key': keyOf(request, attempt) };
  try {
    const client = clientFor(sdk, endpoint, clientFetch(endpoint, signal));
    // The client's own signal is not passed: it would be listened to for as long as the answer is in memory.
    const response = await client.post(messagesPath(endpoint), { body, stream: true, headers }).asResponse();
    for await (const item of readStreamEvent({ endpoint, response, alive: request.alive })) {
      if (item.kind !== 'event') return item;
      reader.take(item.event);
    }
    return undefined;
  } catch (error) {
    return requestFailureOf(sdk, endpoint, error, reader.broken() !== undefined);
  }
}

/** A run's name may be any text; half a character is no text. A request in another form is another request. */
function keyOf({ idempotencyKey }: ModelRequest, attempt: number): string {
  const key = encodeURI(Buffer.from(idempotencyKey).toString('utf8'));
  return attempt === 1 ? key : `${key};${attempt}`;
}

function wholeReply(endpoint: Endpoint, { model }: ModelRequest, reader: ReplyReader): ModelReply {
  if (reader.isWhole()) return reader.reply(model);
  throw new ThermidorFailure('model.api-error', `${serviceName(endpoint)}: the stream ended before the reply did`, {
    adapter: endpoint.name,
  });
}

/** The time limit of a count. */
const COUNT_MS = 30_000;

/**
 * How many tokens a request has, as the service counts them. Undefined if it has no counter, refuses or does not answer in time: then the
 * byte length is the bound. Fails only with the signal's reason.
 */
async function countInput(
  endpoint: Endpoint,
  request: CountRequest,
  dialect: MessagesFeatures,
  signal: AbortSignal,
): Promise<number | undefined> {
  signal.throwIfAborted();
  const { max_tokens: _reply, stream: _form, ...body } = requestBody({ ...request, idempotencyKey: '', alive: () => undefined }, dialect);
  const sdk = await loadSdk();
  const within = AbortSignal.any([signal, AbortSignal.timeout(COUNT_MS)]);
  try {
    const client = clientFor(sdk, endpoint, clientFetch(endpoint, within));
    const count = field(await client.post(`${messagesPath(endpoint)}/count_tokens`, { body }), 'input_tokens');
    return isCount(count) && count > 0 ? count : undefined;
  } catch {
    // The request itself will meet the same trouble, and say so.
    signal.throwIfAborted();
    return undefined;
  }
}
