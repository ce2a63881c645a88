import type { ServerLimits } from './limits';
import type { HttpTransport, Sdk } from './sdk';

/** How often one connection takes up an answer that broke off. */
const MOST_RESUMPTIONS = 5;

export interface HttpRequest {
  url: string;
  /** Resolved. */
  headers: Readonly<Record<string, string>>;
}

/** The SDK's transport, held to limits. Redirects are followed within the server's origin alone. */
export function httpTransport(
  { StreamableHTTPClientTransport }: Pick<Sdk, 'StreamableHTTPClientTransport'>,
  { url, headers }: HttpRequest,
  limits: Pick<ServerLimits, 'messageBytes'>,
): HttpTransport {
  return new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { ...headers } },
    redirectPolicy: 'same-origin',
    fetch: boundedFetch(limits.messageBytes),
  });
}

/**
 * Fetch that reads no more than so many bytes of an answer. The stream of what a server has to say by itself is not opened: nothing
 * that it could say there is wanted here, and a server that closes it at once would be asked for it for ever. Connections are not
 * kept: with the try, its sockets end.
 */
function boundedFetch(limitBytes: number): typeof fetch {
  let resumptions = 0;
  return async (url, init = {}) => {
    const headers = new Headers(init.headers);
    if (init.method === 'GET' && (!headers.has('last-event-id') || ++resumptions > MOST_RESUMPTIONS))
      return new Response(null, { status: 405 });
    headers.set('connection', 'close');
    const response = await fetch(url, { ...init, headers });
    if (!response.body) return response;
    const { status, statusText } = response;
    return new Response(response.body.pipeThrough(bounded(limitBytes)), { status, statusText, headers: response.headers });
  };
}

function bounded(limitBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let sizeBytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      sizeBytes += chunk.byteLength;
      if (sizeBytes > limitBytes) controller.error(new Error(`its answer is larger than ${limitBytes} bytes`));
      else controller.enqueue(chunk);
    },
  });
}
