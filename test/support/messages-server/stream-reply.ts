import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../../plan/json';
import type { ServedReply } from './served';

/** Sends a reply as the API streams it, with the fault that it is to have. Resolves when there is no more to send. */
export interface Sending {
  id: string;
  model: string;
  /** Something that is paid for has gone out. */
  paid(): void;
  /** Of calls, over the whole server. */
  nextCallId(): string;
}

const PIECE = 24;

export async function streamReply(response: ServerResponse, reply: ServedReply, sending: Sending): Promise<void> {
  const { fault, dripMs } = reply;
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'request-id': sending.id });
  let sentBytes = 0;
  let at = 0;
  for (const event of eventsOf(reply, sending)) {
    if (response.destroyed) return;
    at++;
    if (fault && 'atEvent' in fault && fault.atEvent === at) {
      if (fault.kind === 'cut') return void response.write(': \n', () => response.destroy());
      if (fault.kind === 'hang') return;
      if (fault.kind === 'malformed') response.write(`event: ${String(event['type'])}\ndata: {"type": "content_block_del\n\n`);
      if (fault.kind === 'error') {
        const error = { type: fault.type, message: fault.message ?? fault.type };
        response.end(`event: error\ndata: ${JSON.stringify({ type: 'error', error })}\n\n`);
        return;
      }
    }
    const text = Buffer.from(`event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`);
    if (fault?.kind === 'cut-bytes' && sentBytes + text.byteLength > fault.atByte) {
      response.write(text.subarray(0, fault.atByte - sentBytes), () => response.destroy());
      return;
    }
    if (event['type'] === 'content_block_delta') sending.paid();
    sentBytes += text.byteLength;
    const flowing = response.write(fault?.kind === 'invalid-utf8' ? spoilt(text) : text);
    if (fault?.kind === 'endless-line') return await endlessly(response, 'data: ', 'x'.repeat(64 * 1024));
    if (fault?.kind === 'endless' && event['type'] === 'content_block_delta') {
      const more = { ...event, delta: { type: 'text_delta', text: fault.piece ?? 'and so on, '.repeat(1000) } };
      return await endlessly(response, '', `event: content_block_delta\ndata: ${JSON.stringify(more)}\n\n`);
    }
    if (dripMs !== undefined) await sleep(dripMs);
    else if (!flowing) await drained(response);
  }
  response.end();
}

async function endlessly(response: ServerResponse, first: string, piece: string): Promise<void> {
  response.write(first);
  while (!response.destroyed) {
    if (response.write(piece)) await new Promise(setImmediate);
    else await drained(response);
  }
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
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

function* eventsOf({ content, stop, explanation, usage = {} }: ServedReply, { id, model, nextCallId }: Sending): Generator<JsonObject> {
  const size = content.reduce((sum, block) => sum + JSON.stringify(block).length, 0);
  const output = usage.output ?? Math.ceil(size / 4);
  const input = {
    input_tokens: usage.input ?? 10,
    cache_read_input_tokens: usage.cacheRead ?? 0,
    cache_creation_input_tokens: usage.cacheWrite ?? 0,
  };
  const message = { id, type: 'message', role: 'assistant', model, content: [], stop_reason: null, stop_sequence: null };
  yield { type: 'message_start', message: { ...message, usage: { ...input, output_tokens: 1 } } };
  yield { type: 'ping' };
  for (const [index, block] of content.entries()) {
    const [start, deltas] = inPieces(block, nextCallId);
    yield { type: 'content_block_start', index, content_block: start };
    for (const delta of deltas) yield { type: 'content_block_delta', index, delta };
    yield { type: 'content_block_stop', index };
  }
  const reason = stop ?? (content.at(-1)?.['type'] === 'tool_use' ? 'tool_use' : 'end_turn');
  const details = explanation === undefined ? null : { type: 'refusal', category: null, explanation };
  yield {
    type: 'message_delta',
    delta: { stop_reason: reason, stop_sequence: null, stop_details: details },
    usage: { output_tokens: output },
  };
  yield { type: 'message_stop' };
}

function inPieces(block: JsonObject, nextCallId: () => string): [JsonObject, JsonObject[]] {
  const { type, text, thinking, input, id, name } = block;
  if (type === 'text') {
    return [{ type, text: '' }, pieces(String(text)).map((piece) => ({ type: 'text_delta', text: piece }))];
  }
  if (type === 'thinking') {
    const deltas = pieces(String(thinking)).map((piece) => ({ type: 'thinking_delta', thinking: piece }));
    return [{ type, thinking: '', signature: '' }, [...deltas, { type: 'signature_delta', signature: signatureOf(String(thinking)) }]];
  }
  if (type === 'tool_use') {
    const json = typeof input === 'string' ? input : JSON.stringify(input);
    const start = { type, id: typeof id === 'string' ? id : nextCallId(), name: String(name), input: {} };
    return [start, pieces(json).map((piece) => ({ type: 'input_json_delta', partial_json: piece }))];
  }
  return [block, []];
}

/** What the server signs its thinking with, and checks when it comes back. */
export function signatureOf(thinking: string): string {
  return `signed-${createHash('sha256').update(thinking).digest('base64')}`;
}

function pieces(text: string): string[] {
  const found = [];
  for (let at = 0; at < text.length; at += PIECE) found.push(text.slice(at, at + PIECE));
  return found;
}
