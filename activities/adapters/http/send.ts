import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { abortWith, headersOf, limitConnecting } from './connecting';
import type { ServiceProxy } from './proxy';
import { forwarded, PROXY_AUTHENTICATION, ProxyLost, ProxyRefusal, tunnel } from './through-proxy';

/**
 * A request to a service, without the time limits that `fetch` has: a model on one's own machine may read for more than its five minutes
 * before its first byte. The caller sets the limit, by the signal.
 *
 * Invariants: 1. each connection is used once: none that was closed unnoticed can break a request that may have been paid for; 2. when the
 * signal is aborted, or the answer's body is dropped, its socket is closed; 3. redirects are not followed: a key is not carried to where a
 * server points; 4. it fails with the network's error, with `CONNECT_MS` if nobody accepts the connection, and with `ProxyRefusal`, and
 * always has an outcome once the connection is closed; 5. all of this holds through a proxy, too.
 */
export interface Outgoing {
  method: string;
  url: string;
  headers: Headers;
  body: string;
  /** Undefined: a direct connection. */
  proxy: ServiceProxy | undefined;
}

export async function sendRequest(order: Outgoing, signal: AbortSignal): Promise<Response> {
  signal.throwIfAborted();
  const { url, body, proxy } = order;
  const secure = url.startsWith('https:');
  const socket = secure && proxy ? await tunnel(proxy, new URL(url), signal) : undefined;
  if (signal.aborted) socket?.destroy();
  signal.throwIfAborted();
  // The host that the connection leads to, and that answers for it.
  const before = socket ? undefined : proxy;
  return await new Promise((resolve, reject) => {
    const request = requestOf(order, socket);
    abortWith(request, signal);
    const connected = (before ? before.url.protocol === 'https:' : secure) ? 'secureConnect' : 'connect';
    const watched = watch(request, connected);
    request.on('error', (error) => reject(before && !watched.stands ? new ProxyLost(before, error) : error));
    // If another protocol is offered, the connection is closed without an answer and without an error.
    request.once('close', () => reject(new Error('the connection was closed without an answer')));
    request.once('response', (message) => {
      try {
        resolve(responseOf(message, before));
      } catch (error) {
        // A status or a header that is invalid, or that only a proxy may send.
        request.destroy();
        reject(error);
      }
    });
    request.end(body);
  });
}

/** Some servers refuse clients without a name. */
const WHO = { 'user-agent': 'thermidor' };

function requestOf({ method, url, headers, body, proxy }: Outgoing, socket: Socket | undefined): ClientRequest {
  const sent = { ...WHO, ...Object.fromEntries(headers), 'accept-encoding': 'identity', 'content-length': Buffer.byteLength(body) };
  if (socket) return httpsRequest(url, { method, headers: sent, defaultPort: 443, createConnection: () => secured(socket, new URL(url)) });
  if (proxy) return forwarded(proxy, new URL(url), method, sent);
  return (url.startsWith('https:') ? httpsRequest : httpRequest)(url, { method, headers: sent, agent: false });
}

function secured(socket: Socket, { hostname }: URL): Socket {
  const host = hostname.replace(/^\[|\]$/g, '');
  return connectTls({ socket, host, servername: isIP(host) === 0 ? host : '', ALPNProtocols: ['http/1.1'] });
}

/** Detects a host that is gone, even if nobody sends anything for long. */
const PROBE_MS = 60_000;

function watch(request: ClientRequest, connected: 'connect' | 'secureConnect'): { stands: boolean } {
  const state = { stands: false };
  const inTime = limitConnecting(request);
  request.once('socket', (socket) => {
    socket.setKeepAlive(true, PROBE_MS);
    socket.once(connected, () => {
      state.stands = true;
      inTime();
    });
  });
  return state;
}

const WITHOUT_BODY = [204, 205, 304];

function responseOf(message: IncomingMessage, proxy: ServiceProxy | undefined): Response {
  const { statusCode: status = 0 } = message;
  const headers = headersOf(message.headers);
  if (proxy && status === PROXY_AUTHENTICATION) throw new ProxyRefusal(proxy, status, headers);
  if (!WITHOUT_BODY.includes(status)) return new Response(bodyOf(message), { status, headers });
  message.resume();
  return new Response(null, { status, headers });
}

/**
 * Closes the connection if the body is dropped before its end, even if none of it was read. Hand-written: a body made from an iterator is
 * closed once more if its end comes while it is dropped, and nobody could catch that error.
 */
function bodyOf(message: IncomingMessage): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = message[Symbol.asyncIterator]();
  let isLetGo = false;
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (isLetGo) return;
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel() {
        isLetGo = true;
        message.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}
