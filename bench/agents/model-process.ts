import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { field, type Json, type JsonObject } from '../../plan/text/json';
import { NOTES, PIECE, PIECE_EVERY_MS, PIECES, REPLIES, TOOL } from './cases';
import { type FromProcess, isToProcess } from './messages';

/**
 * A service that speaks the Messages API, streamed, in a process of its own, so that its cost is not the worker's. Every reply is a text in
 * pieces; all but an agent's last one end with a tool call.
 */
let requests = 0;

const ARGS = JSON.stringify({ path: NOTES });

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  const body: Json = JSON.parse(Buffer.concat(chunks).toString());
  requests += 1;
  const messages = field(body, 'messages');
  const said = Array.isArray(messages) ? messages.filter((message) => field(message, 'role') === 'assistant').length : 0;
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  for (const event of eventsOf(said + 1, field(body, 'model') ?? null)) {
    response.write(`event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`);
    if (event['type'] === 'content_block_delta') await wait(PIECE_EVERY_MS);
  }
  response.end();
}

function* eventsOf(reply: number, model: Json): Generator<JsonObject> {
  const calls = reply < REPLIES;
  const message = { id: `msg_${requests}`, type: 'message', role: 'assistant', model, content: [], stop_reason: null, stop_sequence: null };
  const usage = { input_tokens: 100 * reply, output_tokens: 1, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
  yield { type: 'message_start', message: { ...message, usage } };
  yield { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } };
  for (let piece = 0; piece < PIECES; piece += 1) {
    yield { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: PIECE } };
  }
  yield { type: 'content_block_stop', index: 0 };
  if (calls) {
    yield {
      type: 'content_block_start',
      index: 1,
      content_block: { type: 'tool_use', id: `toolu_${requests}`, name: TOOL, input: {} },
    };
    yield { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: ARGS } };
    yield { type: 'content_block_stop', index: 1 };
  }
  yield {
    type: 'message_delta',
    delta: { stop_reason: calls ? 'tool_use' : 'end_turn', stop_sequence: null },
    usage: { output_tokens: PIECES * 6 },
  };
  yield { type: 'message_stop' };
}

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    process.stderr.write(`the service of the bench: ${String(error)}\n`);
    response.destroy();
  });
});
server.listen(0, '127.0.0.1', () => sendMessage({ kind: 'listens', url: `http://127.0.0.1:${portOf(server.address())}` }));
process.on('message', (message) => {
  if (!isToProcess(message)) return;
  if (message.kind === 'begin') requests = 0;
  else sendMessage({ kind: 'served', requests });
});
// Also if the bench was killed: nobody else would end this process.
process.once('disconnect', () => process.exit());

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the service of the bench has no port');
  return address.port;
}

function sendMessage(message: FromProcess): void {
  process.send?.(message);
}
