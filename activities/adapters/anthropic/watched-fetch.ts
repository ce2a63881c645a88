import { ThermidorFailure } from '../../../plan/failure';
import { serviceName } from '../model/api-failure';
import type { Endpoint } from '../model/endpoint';
import type { SdkFetch } from './sdk';

/**
 * The client's way to the network.
 *
 * Invariants: 1. each piece that comes is a sign of life; 2. no line of a stream is kept that is longer than any event can be; 3. only
 * headers of the protocol and of the endpoint go out, whatever the environment makes the client add.
 */

/** Of one line. An event carries a piece of a reply. */
export const LINE_BYTES = 8 * 1024 * 1024;
const PROTOCOL_HEADERS = /^(accept|content-type|user-agent|idempotency-key|anthropic-version|anthropic-beta|x-stainless-.+)$/;
const NEWLINE = 0x0a;

export function watchedFetch(endpoint: Endpoint, alive: () => void): SdkFetch {
  return async (url, init) => {
    const response = await fetch(url, { ...init, headers: ownHeaders(endpoint, new Headers(init?.headers)) });
    if (!response.body) return response;
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(watching(endpoint, alive)), { status, statusText, headers });
  };
}

function ownHeaders(endpoint: Endpoint, given: Headers): Headers {
  const isOwn = (name: string) => Object.hasOwn(endpoint.headers, name) || (name === 'x-api-key' && endpoint.key !== undefined);
  return new Headers([...given].filter(([name]) => isOwn(name) || PROTOCOL_HEADERS.test(name)));
}

function watching(endpoint: Endpoint, alive: () => void): TransformStream<Uint8Array, Uint8Array> {
  let lineBytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      alive();
      const end = chunk.lastIndexOf(NEWLINE);
      lineBytes = end < 0 ? lineBytes + chunk.byteLength : chunk.byteLength - end - 1;
      if (lineBytes > LINE_BYTES) {
        const problem = `${serviceName(endpoint)} sends a line of more than ${LINE_BYTES} bytes, which is no event of a reply`;
        controller.error(new ThermidorFailure('output.too-large', problem, { limitBytes: LINE_BYTES }));
        return;
      }
      controller.enqueue(chunk);
    },
  });
}
