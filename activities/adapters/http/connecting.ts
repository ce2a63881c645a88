import type { ClientRequest, IncomingHttpHeaders } from 'node:http';

/** The common parts of requests to services and to their proxies. */

/** The limit for opening a connection, TLS included; for a connection to a proxy, and for one through it, each. */
export const CONNECT_MS = 30_000;

/** Destroys the request if its connection is not established; the caller says when it is. */
export function limitConnecting(request: ClientRequest): () => void {
  const late = setTimeout(() => request.destroy(new Error(`no connection within ${CONNECT_MS} ms`)), CONNECT_MS);
  const stands = () => clearTimeout(late);
  request.once('close', stands);
  return stands;
}

/** When the signal is aborted, the socket is closed. */
export function abortWith(request: ClientRequest, signal: AbortSignal): void {
  const off = () => request.destroy();
  signal.addEventListener('abort', off, { once: true });
  request.once('close', () => signal.removeEventListener('abort', off));
}

/** Fails if a server sends an invalid header. */
export function headersOf(given: IncomingHttpHeaders): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) headers.set(name, [value ?? ''].flat().join(', '));
  return headers;
}
