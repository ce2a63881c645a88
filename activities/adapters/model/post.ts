import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';

/**
 * A request to a service, without the limits of time that `fetch` has of its own: a model on one's own machine may read for more than its five
 * minutes before its first byte. How long is too long says whoever asks, by the signal.
 *
 * Invariants: 1. each connection is used once: none that was closed behind one's back can break a request that may have been paid for; 2. when the
 * signal is aborted, or the answer's body is let go, its socket is closed; 3. no redirect is followed: a key is not carried to where a server
 * points; 4. fails with what the network says, and with `CONNECT_MS` where nobody takes the connection.
 */
export async function post(url: string, headers: Headers, body: string, signal: AbortSignal): Promise<Response> {
  signal.throwIfAborted();
  return await new Promise((resolve, reject) => {
    const secure = url.startsWith('https:');
    const sent = { ...Object.fromEntries(headers), 'accept-encoding': 'identity', 'content-length': Buffer.byteLength(body) };
    const request = (secure ? httpsRequest : httpRequest)(url, { method: 'POST', headers: sent, agent: false });
    const off = () => request.destroy();
    signal.addEventListener('abort', off, { once: true });
    request.once('close', () => signal.removeEventListener('abort', off));
    request.on('error', reject);
    request.once('socket', (socket) => watch(request, socket, secure ? 'secureConnect' : 'connect'));
    request.once('response', (message) => {
      try {
        resolve(responseOf(message));
      } catch (error) {
        // A status or a header that no server may send.
        request.destroy();
        reject(error);
      }
    });
    request.end(body);
  });
}

/** Until a connection stands, that of TLS too. */
export const CONNECT_MS = 30_000;
/** A host that is gone is noticed, though nobody says anything for long. */
const PROBE_MS = 60_000;

function watch(request: ClientRequest, socket: Socket, connected: string): void {
  socket.setKeepAlive(true, PROBE_MS);
  const late = setTimeout(() => request.destroy(new Error(`no connection within ${CONNECT_MS} ms`)), CONNECT_MS);
  const stop = () => clearTimeout(late);
  socket.once(connected, stop);
  request.once('close', stop);
}

const WITHOUT_BODY = [204, 205, 304];

function responseOf(message: IncomingMessage): Response {
  const { statusCode: status = 0, headers: given } = message;
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) headers.set(name, [value ?? ''].flat().join(', '));
  if (!WITHOUT_BODY.includes(status)) return new Response(chunksOf(message), { status, headers });
  message.resume();
  return new Response(null, { status, headers });
}

/** Closes the connection where it is let go before its end, though nothing of it was read. */
function chunksOf(message: IncomingMessage): AsyncIterable<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = message[Symbol.asyncIterator]();
  const letGo = async (): Promise<IteratorResult<Uint8Array>> => {
    message.destroy();
    return { done: true, value: undefined };
  };
  return { [Symbol.asyncIterator]: () => ({ next: () => chunks.next(), return: letGo }) };
}
