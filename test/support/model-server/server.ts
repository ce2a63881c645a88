import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '../../../plan/text/json';
import type { Dialect } from './dialect';
import { prefixCheck } from './prefix-check';
import { type Received, receivedOf, type Serve } from './received';
import { sendFrames } from './send-frames';
import { fail, type ReplyBase, type Served, type ServedError } from './served';

/**
 * A local server of a model, for tests: the part that all dialects share.
 *
 *     const server = await startMessagesServer(({ turn }) => turn === 1 ? call(['read_file', { path: 'a' }]) : say('done'));
 *     // base_url: server.url, key: server.key
 *     expect(server.problems).toEqual([]);
 *     await server.close();
 *
 * The replies are a function of the request, or a list in order, of which the last one is repeated. Helpers: `served.ts` of the
 * dialect; the replies of a script by step: `from-script.ts`; as a process of its own: `main.cjs`.
 *
 * Invariants: 1. a request that the API would refuse is refused with a 400 and noted in `problems`; a request that does not begin like the
 * one before it in its conversation is noted without a refusal; 2. every request with the key is recorded, including refused ones; 3.
 * `paid` counts replies of which a paid part was sent, whether or not they were complete.
 */
export interface ModelServer {
  /** The value for `base_url`. */
  url: string;
  key: string;
  requests: Received[];
  problems: string[];
  paid(): number;
  /** Requests whose answer has not ended and whose connection is open. An idle connection in the pool of `fetch` does not count. */
  open(): number;
  close(): Promise<void>;
}

export interface ModelServerOptions {
  /** Null: no key is needed. @default the dialect's */
  key?: string | null;
  /** @default any free port */
  port?: number;
}

export async function startModelServer<Reply extends ReplyBase>(
  dialect: Dialect<Reply>,
  serve: Serve<Reply> | readonly Served<Reply>[],
  { key = dialect.key, port = 0 }: ModelServerOptions = {},
): Promise<ModelServer> {
  const requests: Received[] = [];
  const problems: string[] = [];
  const prefixes = prefixCheck(dialect.piecesOf);
  const counts = { paid: 0, calls: 0, taken: 0, open: 0 };
  const given = typeof serve === 'function' ? serve : ({ number }: Received) => serve[Math.min(number, serve.length) - 1];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const { method, url = '', headers } = request;
    if (method === 'GET' && url === '/report') return sendJson(response, 200, { requests: requests.length, paid: counts.paid, problems });
    if (key !== null && !dialect.hasKey(headers, key)) return sendError(response, dialect.unauthorized(headers));
    const page = dialect.pages?.[url];
    if (page !== undefined) return sendJson(response, 200, page);
    if (url !== dialect.path) return sendError(response, fail(404, `no ${url}`));
    const received = receivedOf(request, body, dialect);
    requests.push(received);
    counts.open++;
    response.once('close', () => {
      counts.open--;
      if (!response.writableFinished) received.gone = true;
    });
    const served = refusalOf(received) ?? (await take(received));
    if (served.kind === 'error') sendError(response, served);
    if (served.kind === 'reply') await reply(served, received, response);
  }

  /** Requests that the service would not accept. */
  function refusalOf({ body, headers, idempotencyKey }: Received): ServedError | undefined {
    const refused = dialect.refusal?.(body);
    if (refused) return refused;
    const wrong = dialect.check(body, headers);
    problems.push(...wrong, ...prefixes.take(idempotencyKey, body));
    return wrong[0] === undefined ? undefined : fail(400, wrong[0]);
  }

  async function take(received: Received): Promise<Served<Reply>> {
    received.number = ++counts.taken;
    return (await given(received)) ?? fail(500, 'the test has no reply');
  }

  async function reply(served: Reply, { number, body }: Received, response: ServerResponse): Promise<void> {
    if (served.afterMs !== undefined) await sleep(served.afterMs);
    const id = dialect.ids.reply(number);
    const sending = { id, model: served.model ?? String(body['model']), body, nextCallId: () => dialect.ids.call(++counts.calls) };
    let counted = false;
    response.writeHead(200, dialect.headersOf(served, id));
    await sendFrames(response, {
      ...{ frames: dialect.framesOf(served, sending), errorFrame: dialect.errorFrame },
      ...{ fault: served.fault, dripMs: served.dripMs },
      onPaid() {
        if (!counted) counts.paid++;
        counted = true;
      },
    });
  }

  function sendError(response: ServerResponse, error: ServedError): void {
    const { status, headers, body } = error;
    response.writeHead(status, { 'content-type': body === undefined ? 'application/json' : 'text/html', ...headers });
    response.end(body ?? JSON.stringify(dialect.errorOf(error)));
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      problems.push(`the server failed: ${String(error)}`);
      response.destroy();
    });
  });
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${dialect.base}`,
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

function sendJson(response: ServerResponse, status: number, value: Json): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
