import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';

export interface Asked {
  method: string | undefined;
  path: string | undefined;
  headers: IncomingHttpHeaders;
  body: unknown;
}

export interface Service {
  url: string;
  asked: Asked[];
}

type Reply = { status?: number; json?: unknown; text?: string };

const servers: Server[] = [];

/** An HTTP server on this machine that answers with these replies in turn, the last of them from then on. */
export async function service(...replies: Reply[]): Promise<Service> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const reply = replies[Math.min(asked.length, replies.length - 1)];
    const { method, url: path, headers } = request;
    asked.push({ method, path, headers, body: JSON.parse(Buffer.concat(chunks).toString('utf8')) });
    // No reply at all: the caller waits.
    if (!reply) return;
    response.writeHead(reply.status ?? 200, { 'content-type': 'application/json' });
    response.end(reply.text ?? JSON.stringify(reply.json));
  });
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return { url: `http://127.0.0.1:${address.port}`, asked };
}

afterAll(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});
