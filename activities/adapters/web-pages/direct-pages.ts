import { lookup } from 'node:dns/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { errorCode } from '../../../plan/error-code';
import { ThermidorFailure } from '../../../plan/run/failure';
import { ToolRefusal, type WebPage, type WebPages } from '../../tool-ports';
import { isAllowed, isPublic, readAddress } from './addresses';
import { readResponseText } from './read-page';

export interface ResolvedAddress {
  address: string;
  family: number;
}

export type Resolve = (host: string) => Promise<readonly ResolvedAddress[]>;

export interface DirectPagesOptions {
  /** `host` or `host:port` that is allowed although it is not public. @default none */
  allowPrivate?: readonly string[];
  /** @default the system's */
  resolve?: Resolve;
  /** The limit of one page with all its redirects. @default 30000 */
  timeoutMs?: number;
}

const MOST_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];
const HEADERS = {
  'user-agent': 'thermidor',
  accept: 'text/*, application/json, application/xml;q=0.9, */*;q=0.1',
  'accept-encoding': 'identity',
};

/**
 * Pages straight from their servers; proxies of the environment are not used.
 *
 * Invariants: 1. the connection goes to a checked address: a name is resolved once, every address it has must be allowed, and the connected
 * one is checked again; 2. each redirect is checked like the first address, and there are at most five; 3. no cookies, credentials or
 * bodies are sent, and no connection is kept; 4. reading stops at the limit; 5. all sockets have ended when the signal is aborted.
 */
export class DirectPages implements WebPages {
  constructor(private readonly options: DirectPagesOptions = {}) {}

  async get({ url, limitBytes }: { url: string; limitBytes: number }, signal: AbortSignal): Promise<WebPage> {
    const { timeoutMs = 30_000 } = this.options;
    const late = new AbortController();
    const alarm = setTimeout(() => late.abort(), timeoutMs);
    let at = readAddress(url);
    try {
      const within = AbortSignal.any([signal, late.signal]);
      for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
        const answer = await this.ask(at, within);
        const { location } = answer.headers;
        if (location === undefined || !REDIRECTS.includes(answer.statusCode ?? 0)) return await readResponseText(at, answer, limitBytes);
        answer.destroy();
        at = readAddress(location, at);
      }
      throw new ToolRefusal(`${at.host} was the sixth redirect in a row`);
    } catch (error) {
      signal.throwIfAborted();
      if (late.signal.aborted) throw new ThermidorFailure('tool.failed', `${at.host} did not answer within ${timeoutMs} ms`);
      if (error instanceof ThermidorFailure || error instanceof ToolRefusal) throw error;
      throw new ThermidorFailure('tool.failed', `${at.host} cannot be read: ${reasonOf(error)}`, { host: at.host });
    } finally {
      clearTimeout(alarm);
    }
  }

  private async ask(url: URL, signal: AbortSignal): Promise<IncomingMessage> {
    const isFree = isAllowed(this.options.allowPrivate ?? [], url);
    const addresses = await within(signal, this.addressesOf(url));
    for (const { address } of isFree ? [] : addresses) requirePublic(url, address);
    return await new Promise((resolve, reject) => {
      const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
      // An agent of its own: no connection that somebody else opened is used, and none is left.
      const asked = send(url, {
        method: 'GET',
        headers: HEADERS,
        agent: false,
        lookup: fixed(addresses),
        signal,
        maxHeaderSize: 32 * 1024,
      });
      asked.on('socket', (socket) => {
        socket.once('connect', () => {
          const { remoteAddress } = socket;
          if (isFree || (remoteAddress !== undefined && isPublic(plain(remoteAddress)))) return;
          asked.destroy(new ToolRefusal(`${url.host} was reached at an address that is not public`));
        });
      });
      asked.once('response', resolve);
      asked.once('upgrade', (_, socket) => {
        socket.destroy();
        reject(new Error('the server speaks another protocol'));
      });
      asked.once('error', reject);
      asked.end();
    });
  }

  private async addressesOf(url: URL): Promise<readonly ResolvedAddress[]> {
    // `URL` has already normalized every spelling of a number (octal, hexadecimal, one whole number).
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    const family = isIP(host);
    if (family !== 0) return [{ address: host, family }];
    const { resolve = (name) => lookup(name, { all: true }) } = this.options;
    const found = await resolve(host);
    if (found.length === 0) throw new ThermidorFailure('tool.failed', `${url.hostname} has no address`);
    return found;
  }
}

function requirePublic(url: URL, address: string): void {
  if (isPublic(address)) return;
  // The address itself is not revealed to outsiders.
  throw new ToolRefusal(
    `${url.host} is not a public address and is not requested; the operator of this worker can allow it in thermidor.yaml, under tools.fetch.allow_private`,
  );
}

/** Returns the checked addresses, for any name and caller. */
function fixed(addresses: readonly ResolvedAddress[]): LookupFunction {
  return (_, { all }, done) => {
    const [first] = addresses;
    if (all) done(null, [...addresses]);
    else if (first) done(null, first.address, first.family);
  };
}

/** A system that speaks IPv6 alone shows IPv4 addresses in its own form. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');
}

async function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  signal.throwIfAborted();
  let onAbort = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => void reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'its name cannot be resolved at present',
  ECONNREFUSED: 'nobody listens there',
  ECONNRESET: 'the connection was cut',
};

function reasonOf(error: unknown): string {
  const code = errorCode(error);
  if (code !== undefined) return REASONS[code] ?? code;
  return error instanceof Error ? error.message : String(error);
}
