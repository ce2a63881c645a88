import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { field, type Json, type JsonObject } from '../../../plan/json';
import { checkBody } from './check-body';
import { prefixCheck } from './check-prefix';
import { ERROR_TYPES, type Served, type ServedError } from './served';
import { streamReply } from './stream-reply';

/**
 * A local server that speaks the Messages API (`POST /v1/messages`, streamed), for tests.
 *
 *     const server = await startMessagesServer(({ turn }) => turn === 1 ? call(['read_file', { path: 'a' }]) : say('done'));
 *     // base_url: server.url, key: server.key
 *     expect(server.problems).toEqual([]);
 *     await server.close();
 *
 * What is to be given is a function of the request (or a list, one after the other, the last again and again). Helpers: `served.ts`; the replies
 * of a script by step: `from-script.ts`; as a process of its own: `main.cjs`.
 *
 * Invariants: 1. what the API would refuse is refused with a 400 and noted in `problems`; so is, without a refusal, a request that does not begin as
 * the one before it in its conversation; 2. every request is recorded, refused ones too; 3. `paid` counts replies of which something went out that is
 * paid for, whether or not they came to their end.
 */
export interface MessagesServer {
  url: string;
  key: string;
  requests: Received[];
  problems: string[];
  paid(): number;
  /** Requests whose answer has not ended and whose connection is there. What `fetch` keeps idle in its pool is none. */
  open(): number;
  close(): Promise<void>;
}

export interface Received {
  headers: IncomingHttpHeaders;
  body: JsonObject;
  idempotencyKey: string;
  /** Of the whole server, from 1. */
  number: number;
  /** Replies that the request shows, and 1. */
  turn: number;
  /** Texts of the last message of the user. */
  said: string;
  /** When its connection was closed from the other side. */
  gone?: true;
}

export type Serve = (request: Received) => Served | Promise<Served>;

export interface MessagesServerOptions {
  key?: string;
  port?: number;
}

export const KEY = 'sk-ant-a-key-of-the-test-server';

export async function startMessagesServer(
  serve: Serve | readonly Served[],
  { key = KEY, port = 0 }: MessagesServerOptions = {},
): Promise<MessagesServer> {
  const requests: Received[] = [];
  const problems: string[] = [];
  const prefixes = prefixCheck();
  let paid = 0;
  let calls = 0;
  let open = 0;
  const given = typeof serve === 'function' ? serve : ({ number }: Received) => serve[Math.min(number, serve.length) - 1];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await textOf(request);
    if (request.method === 'GET' && request.url === '/report')
      return sendJson(response, 200, { requests: requests.length, paid, problems });
    if (request.url !== '/v1/messages') return sendError(response, { kind: 'error', status: 404, message: `no ${request.url}` });
    const body = readJson(text);
    const received = receivedOf(request, body, requests.length + 1);
    requests.push(received);
    open++;
    response.once('close', () => {
      open--;
      if (!response.writableFinished) received.gone = true;
    });
    if (request.headers['x-api-key'] !== key && request.headers.authorization !== `Bearer ${key}`) {
      return sendError(response, { kind: 'error', status: 401, message: 'invalid x-api-key' });
    }
    const wrong = [
      ...(/^\d{4}-\d\d-\d\d$/.test(String(request.headers['anthropic-version'])) ? [] : ['anthropic-version: header is required']),
      ...(/^application\/json/.test(request.headers['content-type'] ?? '') ? [] : ['content-type: application/json is required']),
      ...checkBody(body),
    ];
    problems.push(...wrong, ...prefixes.take(received.idempotencyKey, body));
    if (wrong[0] !== undefined) return sendError(response, { kind: 'error', status: 400, message: wrong[0] });
    const served = await given(received);
    if (!served) return sendError(response, { kind: 'error', status: 500, message: 'the test has no reply' });
    if (served.kind === 'silence') return;
    if (served.kind === 'error') return sendError(response, served);
    if (served.afterMs !== undefined) await sleep(served.afterMs);
    let counted = false;
    await streamReply(response, served, {
      id: `msg_${received.number}`,
      model: served.model ?? String(body['model']),
      nextCallId: () => `toolu_${++calls}`,
      paid() {
        if (!counted) paid++;
        counted = true;
      },
    });
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      problems.push(`the server failed: ${String(error)}`);
      response.destroy();
    });
  });
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key,
    requests,
    problems,
    paid: () => paid,
    open: () => open,
    async close() {
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
    },
  };
}

function receivedOf({ headers }: IncomingMessage, body: JsonObject, number: number): Received {
  const messages = [field(body, 'messages') ?? []].flat();
  const asked = messages.findLast((message) => field(message, 'role') === 'user');
  const texts = [field(asked, 'content') ?? []].flat().map((block) => field(block, 'text') ?? field(block, 'content') ?? '');
  return {
    headers,
    body,
    number,
    idempotencyKey: decodeURI(String(headers['idempotency-key'] ?? '').split(';')[0] ?? ''),
    turn: messages.filter((message) => field(message, 'role') === 'assistant').length + 1,
    said: texts.filter((text) => typeof text === 'string').join('\n'),
  };
}

function sendError(
  response: ServerResponse,
  { status, type = ERROR_TYPES[status] ?? 'api_error', message = type, headers, body }: ServedError,
): void {
  response.writeHead(status, { 'content-type': body === undefined ? 'application/json' : 'text/html', ...headers });
  response.end(body ?? JSON.stringify({ type: 'error', error: { type, message }, request_id: 'req_1' }));
}

function sendJson(response: ServerResponse, status: number, value: Json): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function readJson(text: string): JsonObject {
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    return {};
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
