import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** A proxy on this machine. It leads every host to one local port, so services may have names of their own. */
export interface ProxyServer {
  /** `127.0.0.1:port`. */
  host: string;
  requests: { method: string; url: string; headers: IncomingMessage['headers'] }[];
  /** The first connection that it takes. */
  taken: Promise<Socket>;
  close(): Promise<void>;
}

/** The answer to every request. Absent: the proxy passes requests on. */
export type Says = (socket: Socket | ServerResponse) => void;

export async function startProxy(port: number, says?: Says): Promise<ProxyServer> {
  const requests: ProxyServer['requests'] = [];
  const sockets = new Set<Socket>();
  const note = ({ method = '', url = '', headers }: IncomingMessage) => requests.push({ method, url, headers });
  const server = createServer((asked, response) => {
    note(asked);
    if (says) return says(response);
    const { pathname, search } = new URL(asked.url ?? '');
    const { method, headers } = asked;
    const onward = request({ host: '127.0.0.1', port, path: `${pathname}${search}`, method, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    asked.pipe(onward);
  });
  server.on('connect', (asked, socket: Socket) => {
    note(asked);
    if (says) return says(socket);
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
    sockets.add(onward);
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const)
      one.on('error', () => undefined).on('close', () => other.destroy());
  });
  const taken = new Promise<Socket>((resolve) => server.once('connection', resolve));
  // Ends the connection when the client ends it; an HTTP server would otherwise wait for more of its data.
  server.on('connection', (socket) => sockets.add(socket.on('end', () => socket.end())));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    taken,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** The answer of a proxy that refuses requests. */
export function refuse(status: number, headers: Readonly<Record<string, string>> = {}, body = '<html>no</html>'): Says {
  return (socket) => {
    const lines = [`HTTP/1.1 ${status} No`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), 'connection: close'];
    const raw = 'socket' in socket ? socket.socket : socket;
    raw?.end(`${lines.join('\r\n')}\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
  };
}
