import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { field, isJsonObject, type Json, type JsonObject } from '../../../plan/json';
import { checkBody } from './check-body';
import { prefixCheck } from './check-prefix';
import type { Served, ServedError } from './served';
import { sendReply } from './stream-reply';

/**
 * A local server that speaks chat completions (`POST /v1/chat/completions`, `GET /v1/models`), for tests.
 *
 *     const server = await startCompletionsServer(({ turn }) => turn === 1 ? call(['read_file', { path: 'a' }]) : say('done'));
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
export interface CompletionsServer {
  /** As a `base_url`. */
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
  /** Of the whole server, from 1; what it refuses by itself is not counted. */
  number: number;
  /** Replies that the request shows, and 1. */
  turn: number;
  /** When its connection was closed from the other side. */
  gone?: true;
}

export type Serve = (request: Received) => Served | Promise<Served>;

export interface CompletionsServerOptions {
  /** Null: it takes anybody. */
  key?: string | null;
  port?: number;
  /** Words that it does not know. */
  refuses?: readonly string[];
}

export const KEY = 'sk-a-key-of-the-test-server';

export async function startCompletionsServer(
  serve: Serve | readonly Served[],
  { key = KEY, port = 0, refuses = [] }: CompletionsServerOptions = {},
): Promise<CompletionsServer> {
  const requests: Received[] = [];
  const problems: string[] = [];
  const prefixes = prefixCheck();
  const counts = { paid: 0, calls: 0, taken: 0, open: 0 };
  const given = typeof serve === 'function' ? serve : ({ number }: Received) => serve[Math.min(number, serve.length) - 1];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await textOf(request);
    if (request.method === 'GET' && request.url === '/report')
      return sendJson(response, 200, { requests: requests.length, paid: counts.paid, problems });
    if (key !== null && request.headers.authorization !== `Bearer ${key}`)
      return sendError(response, {
        kind: 'error',
        status: 401,
        message: `Incorrect API key provided: ${String(request.headers.authorization)}`,
      });
    if (request.url === '/v1/models') return sendJson(response, 200, { object: 'list', data: [] });
    if (request.url !== '/v1/chat/completions') return sendError(response, { kind: 'error', status: 404, message: `no ${request.url}` });
    await complete(receivedOf(request, readJson(text)), response);
  }

  async function complete(received: Received, response: ServerResponse): Promise<void> {
    const { body } = received;
    requests.push(received);
    counts.open++;
    response.once('close', () => {
      counts.open--;
      if (!response.writableFinished) received.gone = true;
    });
    const unknown = refuses.find((word) => field(body, word) !== undefined);
    if (unknown !== undefined) return sendError(response, refusal(unknown));
    const wrong = checkBody(body);
    problems.push(...wrong, ...prefixes.take(received.idempotencyKey, body));
    if (wrong[0] !== undefined) return sendError(response, { kind: 'error', status: 400, message: wrong[0] });
    received.number = ++counts.taken;
    const served = await given(received);
    if (!served) return sendError(response, { kind: 'error', status: 500, message: 'the test has no reply' });
    if (served.kind === 'silence') return;
    if (served.kind === 'error') return sendError(response, served);
    if (served.afterMs !== undefined) await sleep(served.afterMs);
    let counted = false;
    await sendReply(response, served, {
      id: `chatcmpl-${received.number}`,
      model: served.model ?? String(body['model']),
      tellsUsage: field(field(body, 'stream_options'), 'include_usage') === true,
      nextCallId: () => `call_${++counts.calls}`,
      paid() {
        if (!counted) counts.paid++;
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
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    key: key ?? '',
    requests,
    problems,
    paid: () => counts.paid,
    open: () => counts.open,
    async close() {
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
    },
  };
}

function receivedOf({ headers }: IncomingMessage, body: JsonObject): Received {
  const messages = [field(body, 'messages') ?? []].flat();
  return {
    headers,
    body,
    number: 0,
    idempotencyKey: decodeURI(String(headers['idempotency-key'] ?? '').split(';')[0] ?? ''),
    turn: messages.filter((message) => field(message, 'role') === 'assistant').length + 1,
  };
}

/** As the official service words it. */
function refusal(word: string): ServedError {
  const message = `Unsupported parameter: '${word}' is not supported with this model.`;
  return { kind: 'error', status: 400, message, code: 'unsupported_parameter', param: word };
}

function sendError(response: ServerResponse, { status, message = 'error', code, param, headers, body }: ServedError): void {
  response.writeHead(status, { 'content-type': body === undefined ? 'application/json' : 'text/html', ...headers });
  response.end(body ?? JSON.stringify({ error: { message, type: 'error', code: code ?? null, param: param ?? null } }));
}

function sendJson(response: ServerResponse, status: number, value: Json): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function readJson(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
