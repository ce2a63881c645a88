import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json, JsonObject } from '../../../plan/json';
import type { ServedCall, ServedReply } from './served';

/** Sends a reply as servers of this family do, with the fault that it is to have. Resolves when there is no more to send. */
export interface Sending {
  id: string;
  model: string;
  /** Whether the request asked to be told what was used. */
  tellsUsage: boolean;
  /** Something that is paid for has gone out. */
  paid(): void;
  /** Of calls, over the whole server. */
  nextCallId(): string;
}

const PIECE = 24;

export async function sendReply(response: ServerResponse, reply: ServedReply, sending: Sending): Promise<void> {
  if (reply.form === 'json') {
    sending.paid();
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(wholeReply(reply, sending)));
    return;
  }
  const type = reply.form === 'unmarked' ? 'text/plain' : 'text/event-stream; charset=utf-8';
  response.writeHead(200, { 'content-type': type });
  await streamReply(response, reply, sending);
}

async function streamReply(response: ServerResponse, reply: ServedReply, sending: Sending): Promise<void> {
  const { fault, dripMs } = reply;
  let at = 0;
  for (const piece of piecesOf(reply, sending)) {
    if (response.destroyed) return;
    at++;
    if (fault && 'atPiece' in fault && fault.atPiece === at) {
      // What went before it has gone out by then.
      if (fault.kind === 'cut') return void response.write(':\n\n', () => response.destroy());
      if (fault.kind === 'hang') return;
      if (fault.kind === 'end') return void response.end();
      if (fault.kind === 'malformed') response.write('data: {"choices": [{"delta\n\n');
      if (fault.kind === 'error') return void response.end(`data: ${JSON.stringify(fault.error)}\n\n`);
    }
    if (at > 1 || fault?.kind === 'endless' || fault?.kind === 'endless-line') sending.paid();
    const text = Buffer.from(`data: ${JSON.stringify(piece)}\n\n`);
    const flowing = response.write(fault?.kind === 'invalid-utf8' ? spoilt(text) : text);
    if (fault?.kind === 'endless-line') return await endlessly(response, 'data: ', 'x'.repeat(64 * 1024));
    if (fault?.kind === 'endless') {
      const more = pieceOf(sending, { content: 'and so on, '.repeat(1000) });
      return await endlessly(response, '', `data: ${JSON.stringify(more)}\n\n`);
    }
    if (dripMs !== undefined) await sleep(dripMs);
    else if (!flowing) await drained(response);
  }
  response.end(fault?.kind === 'no-done' ? '' : 'data: [DONE]\n\n');
}

async function endlessly(response: ServerResponse, first: string, piece: string): Promise<void> {
  response.write(first);
  while (!response.destroyed) {
    if (response.write(piece)) await new Promise(setImmediate);
    else await drained(response);
  }
}

async function drained(response: ServerResponse): Promise<void> {
  await new Promise<void>((resolve) => {
    const go = () => {
      response.off('drain', go).off('close', go);
      resolve();
    };
    response.on('drain', go).on('close', go);
  });
}

/** Bytes that are no UTF-8, in place of the first letter of the text `é`. */
function spoilt(text: Buffer): Buffer {
  const at = text.indexOf('é');
  return at < 0 ? text : Buffer.concat([text.subarray(0, at), Buffer.from([0xc3, 0x28]), text.subarray(at + 2)]);
}

function* piecesOf(reply: ServedReply, sending: Sending): Generator<JsonObject> {
  for (const piece of saidPieces(reply, sending)) yield reply.tells === 'along' ? { ...piece, usage: usageOf(reply) } : piece;
  if (sending.tellsUsage && reply.usage !== null) yield { ...pieceOf(sending, {}), choices: [], usage: usageOf(reply) };
}

function* saidPieces(reply: ServedReply, sending: Sending): Generator<JsonObject> {
  yield pieceOf(sending, { role: 'assistant', content: '' });
  for (const part of cutUp(reply.reasoning)) yield pieceOf(sending, { reasoning_content: part });
  for (const part of cutUp(reply.text)) yield pieceOf(sending, { content: part });
  for (const part of cutUp(reply.refusal)) yield pieceOf(sending, { refusal: part });
  for (const [at, made] of (reply.calls ?? []).entries()) yield* callPieces(reply, made, at, sending);
  const finish = finishOf(reply);
  if (finish !== null) yield pieceOf(sending, {}, finish);
}

function* callPieces({ callsBy = 'index' }: ServedReply, made: ServedCall, at: number, sending: Sending): Generator<JsonObject> {
  const id = made.id ?? sending.nextCallId();
  const args = argumentsOf(made);
  const extra = made.extra === undefined ? {} : { extra_content: made.extra };
  if (callsBy === 'function_call') {
    yield pieceOf(sending, { function_call: { name: made.name, arguments: args } });
    return;
  }
  const index = callsBy === 'id' || callsBy === 'every-id' ? {} : { index: callsBy === 'one-index' ? 0 : at };
  yield pieceOf(sending, { tool_calls: [{ ...index, id, type: 'function', function: { name: made.name, arguments: '' }, ...extra }] });
  for (const part of cutUp(args))
    yield pieceOf(sending, { tool_calls: [{ ...index, ...(callsBy === 'every-id' ? { id } : {}), function: { arguments: part } }] });
}

function pieceOf({ id, model }: Sending, delta: JsonObject, finish: string | null = null): JsonObject {
  return { id, object: 'chat.completion.chunk', created: 1, model, choices: [{ index: 0, delta, finish_reason: finish }] };
}

function wholeReply(reply: ServedReply, { id, model, nextCallId }: Sending): JsonObject {
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

function usageOf({ text = '', calls = [], usage }: ServedReply): JsonObject {
  const { prompt = 10, completion = Math.ceil((text.length + JSON.stringify(calls).length) / 4), cached } = usage ?? {};
  const details = cached === undefined ? {} : { prompt_tokens_details: { cached_tokens: cached } };
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion, ...details };
}

function finishOf({ finish, calls = [] }: ServedReply): string | null {
  return finish === undefined ? (calls.length > 0 ? 'tool_calls' : 'stop') : finish;
}

function argumentsOf({ args }: ServedCall): string {
  return typeof args === 'string' ? args : JSON.stringify(args satisfies Json);
}

function cutUp(text = ''): string[] {
  return text.match(new RegExp(`[\\s\\S]{1,${PIECE}}`, 'g')) ?? [];
}
