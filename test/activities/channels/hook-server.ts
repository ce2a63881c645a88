import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A service on a local port that takes what its documentation allows and refuses everything else. */
export interface HookServer {
  origin: string;
  received: Received[];
  /** The replies to the next requests that are in order; after them requests are accepted. */
  answers: HookReply[];
  close(): void;
}

export interface Received {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  text: string;
  body: unknown;
}

export interface HookReply {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

const open: { close(): void }[] = [];
const problems: string[] = [];

/** `check` says in words which of the service's rules a request breaks. */
export async function hookServer(check: (request: Received) => string[], taken: HookReply): Promise<HookServer> {
  const received: Received[] = [];
  const answers: HookReply[] = [];
  const server = createServer(async (request, response) => {
    const read = await readRequest(request);
    received.push(read);
    const wrong = check(read);
    problems.push(...wrong);
    const { status, headers, body } = wrong.length > 0 ? { status: 400, body: wrong.join('\n') } : (answers.shift() ?? taken);
    // A request with the status 0 is never answered.
    if (status !== 0) response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  open.push({ close });
  return { origin: `http://127.0.0.1:${portOf(server.address())}`, received, answers, close };
}

afterEach(() => {
  for (const { close } of open.splice(0)) close();
  expect(problems.splice(0)).toEqual([]);
});

export function portOf(address: AddressInfo | string | null): number {
  if (typeof address !== 'object' || address === null) throw new Error('the server listens on no port');
  return address.port;
}

async function readRequest(request: IncomingMessage): Promise<Received> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const text = Buffer.concat(chunks).toString('utf8');
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  return { method: request.method ?? '', path: pathname, query: searchParams, headers: request.headers, text, body: JSON.parse(text) };
}

export type Fields = Record<string, unknown>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Rules about the shape of a request, each with the field that it checks. */
export class Rules {
  readonly broken: string[] = [];

  require(holds: boolean, rule: string): void {
    if (!holds) this.broken.push(rule);
  }

  /** Text of 1 to `most` characters. */
  text(value: unknown, most: number, what: string): void {
    this.require(typeof value === 'string' && value.length > 0 && value.length <= most, `${what} is a text of 1 to ${most} characters`);
  }

  list(value: unknown, most: number, what: string): unknown[] {
    this.require(Array.isArray(value) && value.length > 0 && value.length <= most, `${what} is a list of 1 to ${most}`);
    return listOf(value);
  }

  fields(value: unknown, known: readonly string[], what: string): Fields {
    this.require(isFields(value), `${what} is an object`);
    const fields = isFields(value) ? value : {};
    const strange = Object.keys(fields).filter((key) => !known.includes(key));
    this.require(strange.length === 0, `${what} has no key ${strange.join(', ')}`);
    return fields;
  }
}
