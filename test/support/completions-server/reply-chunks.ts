import { field, type Json, type JsonObject } from '../../../plan/text/json';
import { endlessPieces, type Frame, inPieces, type Sending } from '../model-server/dialect';
import type { CompletionsReply, ServedCall } from './served';

/**
 * A reply as servers of this family stream it: the role, which costs nothing, then reasoning, text, calls, the finish reason, usage if it
 * is requested, and `[DONE]`.
 */
export function* framesOf(reply: CompletionsReply, sending: Sending): Generator<Frame> {
  if (reply.form === 'json') return yield { text: JSON.stringify(wholeReply(reply, sending)), paid: true };
  let paid = false;
  for (const chunk of chunksOf(reply, sending)) {
    yield { text: dataFrame(chunk), paid };
    paid = true;
  }
  if (reply.done !== false) yield { text: 'data: [DONE]\n\n', paid };
}

export function dataFrame(data: Json): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

function* chunksOf(reply: CompletionsReply, sending: Sending): Generator<JsonObject> {
  const asked = field(field(sending.body, 'stream_options'), 'include_usage') === true;
  for (const chunk of saidChunks(reply, sending)) yield reply.tells === 'along' ? { ...chunk, usage: usageOf(reply) } : chunk;
  if (asked && reply.usage !== null) yield { ...chunkOf(sending, {}), choices: [], usage: usageOf(reply) };
}

function* saidChunks(reply: CompletionsReply, sending: Sending): Generator<JsonObject> {
  const { text = '', fault } = reply;
  yield chunkOf(sending, { role: 'assistant', content: '' });
  for (const part of inPieces(reply.reasoning)) yield chunkOf(sending, { reasoning_content: part });
  for (const part of fault?.kind === 'endless' ? endlessPieces(text) : inPieces(text)) yield chunkOf(sending, { content: part });
  for (const part of inPieces(reply.refusal)) yield chunkOf(sending, { refusal: part });
  for (const [at, made] of (reply.calls ?? []).entries()) yield* callChunks(reply, made, at, sending);
  const finish = finishOf(reply);
  if (finish !== null) yield chunkOf(sending, {}, finish);
}

function* callChunks({ callsBy = 'index' }: CompletionsReply, made: ServedCall, at: number, sending: Sending): Generator<JsonObject> {
  const id = made.id ?? sending.nextCallId();
  const args = argumentsOf(made);
  const extra = made.extra === undefined ? {} : { extra_content: made.extra };
  if (callsBy === 'function_call') {
    yield chunkOf(sending, { function_call: { name: made.name, arguments: args } });
    return;
  }
  const index = callsBy === 'id' || callsBy === 'every-id' ? {} : { index: callsBy === 'one-index' ? 0 : at };
  yield chunkOf(sending, { tool_calls: [{ ...index, id, type: 'function', function: { name: made.name, arguments: '' }, ...extra }] });
  for (const part of inPieces(args))
    yield chunkOf(sending, { tool_calls: [{ ...index, ...(callsBy === 'every-id' ? { id } : {}), function: { arguments: part } }] });
}

function chunkOf({ id, model }: Sending, delta: JsonObject, finish: string | null = null): JsonObject {
  return { id, object: 'chat.completion.chunk', created: 1, model, choices: [{ index: 0, delta, finish_reason: finish }] };
}

function wholeReply(reply: CompletionsReply, { id, model, nextCallId }: Sending): JsonObject {
  const calls = (reply.calls ?? []).map((made) => ({
    id: made.id ?? nextCallId(),
    type: 'function',
    function: { name: made.name, arguments: argumentsOf(made) },
  }));
  const message = {
    role: 'assistant',
    content: reply.text ?? null,
    refusal: reply.refusal ?? null,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
  const choices = [{ index: 0, message, finish_reason: finishOf(reply) }];
  return { id, object: 'chat.completion', model, choices, ...(reply.usage === null ? {} : { usage: usageOf(reply) }) };
}

function usageOf({ text = '', calls = [], usage }: CompletionsReply): JsonObject {
  const { prompt = 10, completion = Math.ceil((text.length + JSON.stringify(calls).length) / 4), cached } = usage ?? {};
  const details = cached === undefined ? {} : { prompt_tokens_details: { cached_tokens: cached } };
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion, ...details };
}

function finishOf({ finish, calls = [] }: CompletionsReply): string | null {
  return finish === undefined ? (calls.length > 0 ? 'tool_calls' : 'stop') : finish;
}

function argumentsOf({ args }: ServedCall): string {
  return typeof args === 'string' ? args : JSON.stringify(args);
}
