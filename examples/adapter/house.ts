import { field, isJsonObject, type Json, ThermidorFailure, type ToolSpec, type Turn, type Usage } from '../../worker';

/** A service of our own: it reads a whole conversation as JSON, and answers with one reply of a model. */
export interface House {
  url: string;
  key: string;
}

export interface HouseRequest {
  model: string;
  system: string;
  turns: readonly Turn[];
  tools: readonly ToolSpec[];
  maxTokens: number;
  /** The same whenever the same reply is asked for. */
  idempotencyKey: string;
}

export interface HouseReply {
  text: string;
  calls: { tool: string; args: Json }[];
  model: string;
  usage?: Usage;
}

const REPLY_BYTES = 8 * 1024 * 1024;

/** Fails with `model.*`, `output.too-large`; with the signal's reason if that came first. */
export async function askHouse({ url, key }: House, request: HouseRequest, signal: AbortSignal): Promise<HouseReply> {
  const { model, system, turns, tools, maxTokens, idempotencyKey } = request;
  const messages = turns.map(({ role, text, calls = [], call }) => ({ role, text, calls, ...(call ? { result_of: call.id } : {}) }));
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}`, 'idempotency-key': encodeURI(idempotencyKey) };
  const body = JSON.stringify({ model, system, messages, tools, max_tokens: maxTokens });
  try {
    // A key does not follow to where a server points.
    const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    const text = await textOf(answer);
    if (!answer.ok) throw refusal(answer, text, key);
    return replyOf(JSON.parse(text), model);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ThermidorFailure) throw error;
    throw new ThermidorFailure('model.api-error', `the house gave no reply: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function replyOf(reply: Json, asked: string): HouseReply {
  const [text, calls, model] = [field(reply, 'text'), field(reply, 'calls'), field(reply, 'model')];
  if (typeof text !== 'string') throw new ThermidorFailure('model.api-error', 'the house answered with what is no reply');
  const usage = usageOf(field(reply, 'tokens'));
  return {
    text,
    calls: (Array.isArray(calls) ? calls : []).filter(isJsonObject).map(({ tool, args }) => ({ tool: String(tool), args: args ?? {} })),
    model: typeof model === 'string' ? model : asked,
    ...(usage ? { usage } : {}),
  };
}

/** Its cost is the runner's to know. Where the house does not count, nothing is said: zero would be a lie. */
function usageOf(tokens: Json | undefined): Usage | undefined {
  const [read, written] = [field(tokens, 'read'), field(tokens, 'written')];
  if (typeof read !== 'number' || typeof written !== 'number') return undefined;
  return { inputTokens: read, outputTokens: written, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroUsd: null };
}

/** The code says who retries: `model.overloaded` Temporal, in the same try; `model.api-error` one new try; the others nobody. */
function refusal({ status, headers }: Response, text: string, key: string): ThermidorFailure {
  const message = `the house says ${status}: ${text.replaceAll(key, '***').slice(0, 400)}`;
  if (status === 429) {
    const seconds = Number(headers.get('retry-after') ?? Number.NaN);
    return new ThermidorFailure('model.overloaded', message, { status }, Number.isFinite(seconds) ? seconds * 1000 : undefined);
  }
  if (status === 401 || status === 403) return new ThermidorFailure('model.unauthorized', message, { status });
  return new ThermidorFailure(status >= 500 ? 'model.api-error' : 'model.bad-request', message, { status });
}

async function textOf({ body }: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const piece of body ?? []) {
    sizeBytes += piece.byteLength;
    if (sizeBytes > REPLY_BYTES) throw new ThermidorFailure('output.too-large', `the house sent more than ${REPLY_BYTES} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
