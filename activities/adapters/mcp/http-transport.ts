import { errorCode } from '../../../plan/error-code';
import type { ServiceProxy } from '../http/proxy';
import { type Outgoing, sendRequest } from '../http/send';
import type { ServerLimits } from './limits';
import { type OpenRequest, OpenRequests } from './open-requests';
import type { HttpTransport, McpSdk } from './sdk';

/** How often one connection resumes an interrupted answer. */
const MOST_RESUMPTIONS = 5;
/** How the SDK resumes one. */
const RECONNECTION = { initialReconnectionDelay: 1000, maxReconnectionDelay: 30_000, reconnectionDelayGrowFactor: 1.5, maxRetries: 2 };

export interface HttpRequest {
  url: string;
  /** Resolved. */
  headers: Readonly<Record<string, string>>;
  /** The proxy for it. Absent: direct. */
  proxy?: ServiceProxy;
}

/** The SDK's transport with limits; `over` gets an answer that exceeds them. Redirects are followed only within the server's origin. */
export function httpTransport(
  sdk: Pick<McpSdk, 'StreamableHTTPClientTransport' | 'isAnswer' | 'ErrorCode'>,
  { url, headers, proxy }: HttpRequest,
  limits: Pick<ServerLimits, 'messageBytes'>,
  over: (why: string) => void,
): HttpTransport {
  const ask: Ask = async (order, signal) => {
    const response = await sendRequest({ ...order, proxy }, signal);
    if (!response.body) return response;
    return replaced(response, response.body.pipeThrough(bounded(limits.messageBytes, over)));
  };
  return new sdk.StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { ...headers } },
    redirectPolicy: 'same-origin',
    reconnectionOptions: RECONNECTION,
    fetch: fetchInOrder(ask, new OpenRequests(sdk)),
  });
}

type Ask = (order: Omit<Outgoing, 'proxy'>, signal: AbortSignal) => Promise<Response>;

/**
 * Replaces fetch: reads a limited number of bytes of an answer, and leaves no request without one. The stream for the server's own messages
 * is not opened: we need none of them, and a server that closes it at once would be asked for it forever. Connections are not kept: its
 * sockets end with the try. The SDK follows redirects.
 */
function fetchInOrder(ask: Ask, requests: OpenRequests): typeof fetch {
  let resumptions = 0;

  async function takeUp(request: OpenRequest, order: Parameters<Ask>[0], signal: AbortSignal): Promise<Response> {
    if (++resumptions > MOST_RESUMPTIONS) return requests.brokenOff(request, `as ${MOST_RESUMPTIONS} streams before it`);
    const isLast = () => ++request.refusals >= RECONNECTION.maxRetries;
    try {
      const response = await ask(order, signal);
      if (response.ok && response.body) {
        request.refusals = 0;
        return replaced(response, requests.untilAnswered(request, response.body, signal));
      }
      // The SDK does not repeat the question to a server that says that it has no such streams.
      if (!response.ok && response.status !== 405 && !isLast()) return response;
      await response.body?.cancel();
      return requests.brokenOff(request, `it cannot be resumed: HTTP ${response.status}`);
    } catch (error) {
      if (signal.aborted || !isLast()) throw error;
      return requests.brokenOff(request, `it cannot be resumed: ${errorCode(error) ?? String(error)}`);
    }
  }

  return async (url, init = {}) => {
    const { method = 'GET', body } = init;
    const signal = init.signal ?? new AbortController().signal;
    const headers = new Headers(init.headers);
    const order = { method, url: String(url), headers, body: String(body ?? '') };
    if (method === 'GET') {
      const request = requests.behind(headers.get('last-event-id'));
      return request ? await takeUp(request, order, signal) : new Response(null, { status: 405 });
    }
    const request = requests.sent(order.body);
    const response = await ask(order, signal).catch((error: unknown) => {
      if (request) requests.drop(request);
      throw error;
    });
    if (!request) return response;
    if (response.ok && response.body && EVENT_STREAM.test(response.headers.get('content-type') ?? ''))
      return replaced(response, requests.untilAnswered(request, response.body, signal));
    requests.drop(request);
    return response;
  };
}

const EVENT_STREAM = /^\s*text\/event-stream\s*(?:;|$)/i;

function replaced({ status, statusText, headers }: Response, body: ReadableStream<Uint8Array>): Response {
  return new Response(body, { status, statusText, headers });
}

function bounded(limitBytes: number, over: (why: string) => void): TransformStream<Uint8Array, Uint8Array> {
  let sizeBytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      sizeBytes += chunk.byteLength;
      if (sizeBytes <= limitBytes) return controller.enqueue(chunk);
      const why = `its answer is larger than ${limitBytes} bytes`;
      controller.error(new Error(why));
      // The SDK does not reject waiting calls when its stream has failed.
      over(why);
    },
  });
}
