import { once } from 'node:events';
import { createServer } from 'node:net';
import { ServerUnavailable } from './server-unavailable';

const HOST = '127.0.0.1';

/** Whether a server could listen there now. */
export async function isPortFree(port: number): Promise<boolean> {
  return (await listenBriefly(port)) !== undefined;
}

/** A port that is free now. Another process may take it before the caller does. */
export async function findFreePort(): Promise<number> {
  const port = await listenBriefly(0);
  if (port === undefined)
    throw new ServerUnavailable(`no port of ${HOST} is free`, [], 'end programs that use many ports, or use another server with --address');
  return port;
}

async function listenBriefly(port: number): Promise<number | undefined> {
  const server = createServer();
  try {
    server.listen({ port, host: HOST, exclusive: true });
    await once(server, 'listening');
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : undefined;
  } catch {
    return undefined;
  } finally {
    server.close();
  }
}
