import { createHash } from 'node:crypto';
import type { JsonObject } from '../../../plan/text/json';
import { endlessPieces, type Frame, inPieces, type Sending } from '../model-server/dialect';
import type { MessagesReply } from './served';

/** A reply as the API streams it. The first frames are `message_start` and `ping`; those of the content follow. */
export function* framesOf(reply: MessagesReply, sending: Sending): Generator<Frame> {
  for (const event of eventsOf(reply, sending)) yield { text: eventFrame(event), paid: event['type'] === 'content_block_delta' };
}

export function eventFrame(event: JsonObject): string {
  return `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`;
}

function* eventsOf(
  { content, stop, explanation, usage = {}, fault }: MessagesReply,
  { id, model, nextCallId }: Sending,
): Generator<JsonObject> {
  const size = content.reduce((sum, block) => sum + JSON.stringify(block).length, 0);
  const output = usage.output ?? Math.ceil(size / 4);
  const input = {
    input_tokens: usage.input === undefined ? 10 : usage.input,
    cache_read_input_tokens: usage.cacheRead ?? 0,
    cache_creation_input_tokens: usage.cacheWrite ?? 0,
  };
  const message = { id, type: 'message', role: 'assistant', model, content: [], stop_reason: null, stop_sequence: null };
  yield { type: 'message_start', message: { ...message, usage: { ...input, output_tokens: 1 } } };
  yield { type: 'ping' };
  for (const [index, block] of content.entries()) {
    const [start, deltas] = startAndDeltas(block, nextCallId, fault?.kind === 'endless');
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

function startAndDeltas(block: JsonObject, nextCallId: () => string, endless: boolean): [JsonObject, Iterable<JsonObject>] {
  const { type, text, thinking, input, id, name } = block;
  if (type === 'text') return [{ type, text: '' }, textDeltas(endless ? endlessPieces(String(text)) : inPieces(String(text)))];
  if (type === 'thinking') {
    const deltas = inPieces(String(thinking)).map((piece) => ({ type: 'thinking_delta', thinking: piece }));
    return [{ type, thinking: '', signature: '' }, [...deltas, { type: 'signature_delta', signature: signatureOf(String(thinking)) }]];
  }
  if (type === 'tool_use') {
    const json = typeof input === 'string' ? input : JSON.stringify(input);
    const start = { type, id: typeof id === 'string' ? id : nextCallId(), name: String(name), input: {} };
    return [start, inPieces(json).map((piece) => ({ type: 'input_json_delta', partial_json: piece }))];
  }
  return [block, []];
}

function* textDeltas(pieces: Iterable<string>): Generator<JsonObject> {
  for (const piece of pieces) yield { type: 'text_delta', text: piece };
}

/** The signature of the server's thinking, which it checks when the thinking comes back. */
export function signatureOf(thinking: string): string {
  return `signed-${createHash('sha256').update(thinking).digest('base64')}`;
}
