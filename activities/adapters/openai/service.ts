import { ThermidorFailure } from '../../../plan/run/failure';
import { sendRequest } from '../http/send';
import { type ApiRefusal, apiFailure, connectionFailure, REFUSAL_BYTES } from '../model/api-failure';
import { type Endpoint, type EndpointOf, resolveEndpoint } from '../model/endpoint';
import { BrokenReply, type ModelReply, type ModelRequest, type ModelService } from '../model/service';
import { responseStart } from '../response-beginning';
import { completionPieces, DONE } from './answer-stream';
import { completionRefusal } from './refusal';
import { type CompletionLimit, completionLimit } from './reply-limit';
import { openReplyParts } from './reply-parts';
import { completionBody } from './request-body';
import { type CompletionsFeatures, firstFeatures, type LimitWord, withoutRefusedFeatures } from './request-features';

/** The least room for a reply; with less, the context is too long. */
const LEAST_ROOM = 256;
/** One attempt for each word that may be refused, and two for the length of a reply. */
const MOST_ATTEMPTS = 7;

/**
 * A service that speaks chat completions, as OpenAI's own, Ollama, vLLM and many others do. It knows nothing of agents and tools beyond
 * their words, and remembers only what a server has refused (`request-features.ts`), by model.
 *
 * Invariants: 1. the same request has the same body and the same `idempotency-key`, another has another; 2. a request that is refused for
 * one of its words is repeated without it at once, each word once; 3. a broken-off reply is reported (`BrokenReply`), with its usage only
 * if the server had sent it. There are no retries here except (2); `api-failure.ts` says which failures are retried.
 */
export function openAiService(options: EndpointOf): ModelService {
  const dialects = new Map<string, CompletionsFeatures>();
  return {
    name: options.name,
    async reply(request, signal) {
      const endpoint = await resolveEndpoint(options);
      const answer = await taken(endpoint, dialects, request, signal);
      if (!('response' in answer)) return answer;
      const { response, ownLimit } = answer;
      return { ...(await readReply(endpoint, request, response, signal)), ...(ownLimit ? { ownLimit } : {}) };
    },
  };
}

/** The answer to an accepted request; or a reply saying that the context does not fit. */
async function taken(
  endpoint: Endpoint,
  dialects: Map<string, CompletionsFeatures>,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<Taken | ModelReply> {
  const { model } = request;
  const official = new URL(endpoint.baseUrl).hostname === 'api.openai.com';
  const tried: LimitWord[] = [];
  let dialect = dialects.get(model) ?? firstFeatures(official);
  let asked = request;
  for (let attempt = 1; ; attempt++) {
    if (dialect.limit === undefined) request.unlimited?.();
    const body = JSON.stringify(completionBody(asked, dialect, official));
    const response = await postCompletion(endpoint, 'chat/completions', body, requestKey(request, attempt), signal);
    if (response.kind === 'answer') return { response: response.answer, ownLimit: hasOwnLimit(request, asked, dialect) };
    const refusal = completionRefusal(response.status, response.text, response.headers);
    const known = dialect;
    const room = roomFor(asked, dialect, refusal);
    if (room?.always) dialect = { ...dialect, mostTokens: room.tokens };
    else if (room) asked = { ...asked, maxTokens: room.tokens };
    else dialect = isRefusedRequest(refusal) ? (withoutRefusedFeatures(dialect, refusal.says ?? '', tried) ?? dialect) : dialect;
    if ((dialect === known && !room) || attempt === MOST_ATTEMPTS) return overflowOr(apiFailure(endpoint, model, refusal), model);
    if (known.limit !== undefined && known.limit !== dialect.limit) tried.push(known.limit);
    dialects.set(model, dialect);
  }
}

interface Taken {
  response: Response;
  /** Whether the server makes its reply shorter than was wanted, or accepts no limit. */
  ownLimit: boolean;
}

function hasOwnLimit(
  { maxTokens = Number.POSITIVE_INFINITY }: ModelRequest,
  asked: ModelRequest,
  { limit, mostTokens }: CompletionsFeatures,
): boolean {
  const room = Math.min(asked.maxTokens ?? Number.POSITIVE_INFINITY, mostTokens ?? Number.POSITIVE_INFINITY);
  return limit === undefined || room < maxTokens;
}

function isRefusedRequest({ status }: ApiRefusal): boolean {
  return status === 400 || status === 422;
}

/** A shorter reply that the server would give, if it says so. */
function roomFor(
  { maxTokens }: ModelRequest,
  { limit, mostTokens }: CompletionsFeatures,
  refusal: ApiRefusal,
): CompletionLimit | undefined {
  if (maxTokens === undefined || limit === undefined || !isRefusedRequest(refusal)) return undefined;
  const room = completionLimit(refusal.says ?? '');
  return room && room.tokens < Math.min(maxTokens, mostTokens ?? maxTokens) && room.tokens >= LEAST_ROOM ? room : undefined;
}

function overflowOr(failure: ThermidorFailure, model: string): ModelReply {
  if (failure.code !== 'model.context-length') throw failure;
  return { text: '', calls: [], model, stop: 'overflow' };
}

/** A header accepts no other characters. A request in other words is another request. */
function requestKey({ idempotencyKey }: ModelRequest, attempt: number): string {
  const key = encodeURI(idempotencyKey.replace(/\p{Surrogate}/gu, '_'));
  return attempt === 1 ? key : `${key};${attempt}`;
}

async function readReply(endpoint: Endpoint, { model, alive }: ModelRequest, response: Response, signal: AbortSignal): Promise<ModelReply> {
  const parts = openReplyParts();
  let done = false;
  try {
    for await (const piece of completionPieces({ endpoint, response, alive }, model)) {
      done = piece === DONE;
      if (piece === DONE) break;
      parts.take(piece);
    }
    if (!parts.begun()) throw new Error('the answer is empty');
    if (!done && !parts.finished()) throw new Error('the stream ended before the reply did');
  } catch (error) {
    signal.throwIfAborted();
    const cause = error instanceof ThermidorFailure ? error : connectionFailure(endpoint, error, true);
    if (!parts.begun()) return overflowOr(cause, model);
    // The reply is complete; only the connection broke afterwards.
    if (cause === error || !parts.finished()) throw new BrokenReply(parts.usage(), parts.text(), cause);
  }
  return parts.reply(model);
}

/**
 * One request to a service. Fails with `model.api-error` if nobody answers, with the failure for its status if a proxy refuses, and with
 * the signal's reason if that came first.
 */

type Posted = { kind: 'answer'; answer: Response } | { kind: 'refused'; status: number; headers: Headers; text: string };

async function postCompletion(
  endpoint: Endpoint,
  path: string,
  body: string,
  idempotencyKey: string,
  signal: AbortSignal,
): Promise<Posted> {
  signal.throwIfAborted();
  const { baseUrl, key, headers, proxy } = endpoint;
  const sent = {
    'content-type': 'application/json',
    accept: 'text/event-stream, application/json',
    'idempotency-key': idempotencyKey,
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    ...headers,
  };
  try {
    const answer = await sendRequest({ method: 'POST', url: `${baseUrl}/${path}`, headers: new Headers(sent), body, proxy }, signal);
    if (answer.ok) return { kind: 'answer', answer };
    return { kind: 'refused', status: answer.status, headers: answer.headers, text: await responseStart(answer, REFUSAL_BYTES) };
  } catch (error) {
    signal.throwIfAborted();
    throw connectionFailure(endpoint, error);
  }
}
