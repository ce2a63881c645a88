import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ENVIRONMENT } from './scene';

export interface HttpRemote {
  url: string;
  close(): Promise<void>;
}

export interface HttpOptions {
  /** If set, requests without it are refused. */
  password?: string;
  /** Called with the start of a request's body. Git gets the body once this settles. */
  before?(body: Buffer): Promise<void> | undefined;
}

/** `git http-backend` behind an HTTP server of Node, for the bare repositories in a folder. */
export async function serveHttp(folder: string, { password, before }: HttpOptions = {}): Promise<HttpRemote> {
  const server = createServer((request, response) => {
    const given = Buffer.from((request.headers.authorization ?? '').replace(/^Basic /, ''), 'base64').toString('utf8');
    if (password !== undefined && given !== `ada:${password}`) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
    } else runBackend(folder, request, response, before);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function runBackend(folder: string, request: IncomingMessage, response: ServerResponse, before?: HttpOptions['before']): void {
  const { pathname, search } = new URL(request.url ?? '/', 'http://x');
  const backend = spawn('git', ['http-backend'], {
    env: {
      ...ENVIRONMENT,
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      REMOTE_USER: 'ada',
      ...(request.headers['content-encoding'] ? { HTTP_CONTENT_ENCODING: request.headers['content-encoding'] } : {}),
      ...(typeof request.headers['git-protocol'] === 'string' ? { GIT_PROTOCOL: request.headers['git-protocol'] } : {}),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  request.once('data', (body: Buffer) => {
    request.pause();
    void Promise.resolve(before?.(body)).then(() => {
      backend.stdin.write(body);
      request.pipe(backend.stdin);
    });
  });
  request.once('end', () => backend.stdin.end());
  backend.stdin.on('error', () => undefined);
  const chunks: Buffer[] = [];
  backend.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  backend.on('close', () => {
    const answer = Buffer.concat(chunks);
    const end = answer.indexOf('\r\n\r\n');
    const headers = answer
      .toString('latin1', 0, end)
      .split('\r\n')
      .map((line) => line.split(': ') as [string, string]);
    const status = headers.find(([name]) => name === 'Status')?.[1];
    response.writeHead(Number.parseInt(status ?? '200', 10), Object.fromEntries(headers.filter(([name]) => name !== 'Status')));
    response.end(answer.subarray(end + 4));
  });
}
