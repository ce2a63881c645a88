import { type ClientRequest, request as httpRequest, type OutgoingHttpHeaders, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { errorCode } from '../../../plan/error-code';
import { abortWith, headersOf, limitConnecting } from './connecting';
import type { ServiceProxy } from './proxy';

/**
 * Connections through a proxy: those to a service with TLS go through a tunnel, of which the proxy sees only the host; anything else is
 * sent to the proxy unchanged.
 *
 * Invariants: 1. the credential for the proxy goes to the proxy alone, and nothing for the service goes into `CONNECT`;
 * 2. errors name the proxy's host and nothing else of it; 3. the body of a proxy's refusal is not read.
 */

/** The proxy refuses the connection. */
export class ProxyRefusal extends Error {
  constructor(
    readonly proxy: ServiceProxy,
    readonly status: number,
    readonly headers: Headers,
  ) {
    super(`${refusalBy(proxy, status)} (${status})`);
    this.name = 'ProxyRefusal';
  }
}

/** The proxy does not answer, or not as one. Without a cause: its message says everything. */
export class ProxyLost extends Error {
  constructor({ url }: ServiceProxy, error: Error) {
    super(`the proxy ${url.host} cannot be used: ${errorCode(error) ?? error.message}`);
    this.name = 'ProxyLost';
  }
}

export const PROXY_AUTHENTICATION = 407;

function refusalBy({ url, variable, authorization }: ServiceProxy, status: number): string {
  if (status !== PROXY_AUTHENTICATION) return `the proxy ${url.host} refused the connection`;
  if (authorization !== undefined) return `the proxy ${url.host} rejected the user and the password of ${variable}`;
  return `the proxy ${url.host} requires a user and a password: ${variable}=${url.protocol}//USER:PASSWORD@${url.host}`;
}

/** A connection to the target, without TLS. Fails with `ProxyRefusal`, and with the network's error for the proxy. */
export async function tunnel(proxy: ServiceProxy, target: URL, signal: AbortSignal): Promise<Socket> {
  const to = `${target.hostname}:${target.port || 443}`;
  return await new Promise((resolve, reject) => {
    const request = askProxy(proxy, { method: 'CONNECT', path: to, headers: { host: to } });
    abortWith(request, signal);
    limitConnecting(request);
    request.on('error', (error) => reject(new ProxyLost(proxy, error)));
    request.once('connect', ({ statusCode = 0, headers }, socket) => {
      if (statusCode >= 200 && statusCode < 300) return resolve(socket);
      socket.destroy();
      try {
        reject(new ProxyRefusal(proxy, statusCode, headersOf(headers)));
      } catch (error) {
        // An invalid header.
        reject(error);
      }
    });
    request.end();
  });
}

/** A request that the proxy makes on our behalf. */
export function forwarded(proxy: ServiceProxy, target: URL, method: string, headers: OutgoingHttpHeaders): ClientRequest {
  return askProxy(proxy, { method, path: target.href, headers: { ...headers, host: target.host } });
}

function askProxy(
  { url, authorization }: ServiceProxy,
  { headers, ...options }: RequestOptions & { headers: OutgoingHttpHeaders },
): ClientRequest {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const proof = authorization === undefined ? {} : { 'proxy-authorization': authorization };
  const common = { ...options, host, headers: { ...headers, ...proof }, agent: false };
  if (url.protocol === 'http:') return httpRequest({ ...common, port: url.port || 80 });
  // By default it would be taken from the `host` header, which names the target.
  return httpsRequest({ ...common, port: url.port || 443, servername: isIP(host) === 0 ? host : '' });
}
