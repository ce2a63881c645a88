import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A hand-written server of tools over HTTP, which can lie. */
export interface HttpServer {
  url: string;
  requests: { method: string; headers: IncomingMessage['headers']; rpc?: string }[];
  /** Resolves once no connection is open. */
  gone(): Promise<void>;
  close(): Promise<void>;
}

interface Rpc {
  id?: number;
  method: string;
  params?: { name?: string; protocolVersion?: string };
}

/** Answers a call in an unusual way. Absent: the call is answered correctly. */
type Odd = (response: ServerResponse, rpc: Rpc) => boolean;
/** Resumes after an event. Absent: the server does not resume. */
type TakeUp = (response: ServerResponse, lastEvent: string) => void;

export async function httpServer(odd: Odd = () => false, takeUp?: TakeUp): Promise<HttpServer> {
  const requests: HttpServer['requests'] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', headers } = request;
    const rpc = chunks.length > 0 ? (JSON.parse(Buffer.concat(chunks).toString()) as Rpc) : undefined;
    requests.push({ method, headers, ...(rpc ? { rpc: rpc.method } : {}) });
    const lastEvent = headers['last-event-id'];
    if (takeUp && method === 'GET' && typeof lastEvent === 'string') return takeUp(response, lastEvent);
    if (!rpc) return void response.writeHead(method === 'DELETE' ? 200 : 405).end();
    if (rpc.id === undefined) return void response.writeHead(202).end();
    if (odd(response, rpc)) return;
    if (rpc.method !== 'initialize' && headers['mcp-session-id'] !== 's1') return void response.writeHead(404).end('no session');
    answer(response, rpc.id, resultOf(rpc));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    requests,
    async gone() {
      const open = () =>
        new Promise<number>((resolve, reject) => server.getConnections((error, count) => (error ? reject(error) : resolve(count))));
      while ((await open()) > 0) await new Promise(setImmediate);
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Answers with a stream of one event. */
function answer(response: ServerResponse, id: number, result: unknown): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'mcp-session-id': 's1' });
  response.end(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
}

function resultOf({ method, params }: Rpc): unknown {
  const serverInfo = { name: 'web', version: '1' };
  if (method === 'initialize') return { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo };
  if (method === 'tools/list') return { tools: [{ name: 'ping', inputSchema: { type: 'object' } }] };
  return { content: [{ type: 'text', text: 'pong' }] };
}
