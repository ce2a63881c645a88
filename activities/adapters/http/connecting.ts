import type { ClientRequest, IncomingHttpHeaders } from 'node:http';

/** What requests to services and to their proxies have in common. */

/** Until a connection is open, that of TLS too; to a proxy, and through it, each. */
export const CONNECT_MS = 30_000;

/** Destroys the request where its connection does not come to stand; the caller says when it does. */
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

/** Fails where a server sends one that there may not be. */
export function headersOf(given: IncomingHttpHeaders): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) headers.set(name, [value ?? ''].flat().join(', '));
  return headers;
}
