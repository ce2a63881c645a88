import { sendRequest } from '../http/send';
import { REFUSAL_BYTES } from '../model/api-failure';
import type { Endpoint } from '../model/endpoint';
import { responseStart } from '../response-beginning';
import type { SdkFetch } from './sdk';

/**
 * The client's way to the network.
 *
 * Invariants: 1. only headers of the protocol and of the endpoint are sent, whatever the environment makes the client add; 2. a refusal,
 * which the client reads to its end, is cut after its beginning.
 */
export function clientFetch(endpoint: Endpoint, signal: AbortSignal): SdkFetch {
  return async (url, init) => {
    const headers = ownHeaders(endpoint, new Headers(init?.headers));
    const order = { method: 'POST', url: String(url), headers, body: String(init?.body ?? ''), proxy: endpoint.proxy };
    const response = await sendRequest(order, signal);
    if (response.ok) return response;
    return new Response(await responseStart(response, REFUSAL_BYTES), { status: response.status, headers: response.headers });
  };
}

const PROTOCOL_HEADERS = /^(accept|content-type|user-agent|idempotency-key|anthropic-version|anthropic-beta|x-stainless-.+)$/;

function ownHeaders(endpoint: Endpoint, given: Headers): Headers {
  const isOwn = (name: string) => Object.hasOwn(endpoint.headers, name) || (name === 'x-api-key' && endpoint.key !== undefined);
  return new Headers([...given].filter(([name]) => isOwn(name) || PROTOCOL_HEADERS.test(name)));
}
