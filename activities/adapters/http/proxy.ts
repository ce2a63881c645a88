import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { type FailureCode, ThermidorFailure } from '../../../plan/run/failure';
import { percentDecoded } from '../../../plan/text/percent-decoded';

/**
 * The proxy that the environment names for an address: `HTTPS_PROXY` for https, `HTTP_PROXY` for http, in small or capital letters, and
 * `NO_PROXY` for direct connections: hosts with everything below them, addresses, networks (`10.0.0.0/8`), each with or without a port, or
 * `*`.
 *
 * Invariants: 1. this machine is never reached through another: there the same name means another machine; 2. user and password appear only
 * in `authorization`.
 */
export interface ServiceProxy {
  /** The URL without user and password. */
  url: URL;
  /** The credential for the proxy. */
  authorization?: string;
  /** The variable that named it. */
  variable: string;
}

/** Undefined for a direct connection. Fails with `code` if the variable is not the address of a proxy; never quotes it. */
export function proxyFor(address: string, env: NodeJS.ProcessEnv, code: FailureCode): ServiceProxy | undefined {
  const target = targetOf(new URL(address));
  const named = variableOf(env, target.secure ? 'https_proxy' : 'http_proxy');
  if (named === undefined || isNear(target.host) || isExcepted(target, env)) return undefined;
  const proxy = readProxy(named);
  if (proxy) return proxy;
  throw new ThermidorFailure(code, `${named.name} is not the address of a supported proxy, such as http://proxy.example.org:3128`);
}

interface Target {
  /** The host without brackets, and without the final dot of a full name. */
  host: string;
  port: string;
  secure: boolean;
}

function targetOf({ protocol, hostname, port }: URL): Target {
  const secure = protocol === 'https:';
  return { host: plainHost(hostname), port: port === '' ? (secure ? '443' : '80') : port, secure };
}

function plainHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
}

interface Named {
  name: string;
  value: string;
}

function variableOf(env: NodeJS.ProcessEnv, small: string): Named | undefined {
  for (const name of [small, small.toUpperCase()]) {
    const value = env[name]?.trim();
    if (value) return { name, value };
  }
  return undefined;
}

function isNear(host: string): boolean {
  if (isIP(host) === 0) return host === 'localhost' || host.endsWith('.localhost');
  // `0.0.0.0` and `::`, on which servers say they listen, lead to this machine too.
  return ['loopback', 'unspecified'].includes(ipaddr.process(host).range());
}

function isExcepted(target: Target, env: NodeJS.ProcessEnv): boolean {
  const listed = variableOf(env, 'no_proxy')?.value.split(/[\s,]+/) ?? [];
  return listed.some((entry) => entry !== '' && covers(entry, target));
}

function covers(entry: string, { host, port }: Target): boolean {
  const [, named = entry, atPort] = isIP(entry) === 6 ? [] : (/^(.+?)(?::(\d+))?$/.exec(entry) ?? []);
  if (atPort !== undefined && atPort !== port) return false;
  const bare = plainHost(named).replace(/^\*?\.(?=.)/, '');
  if (bare === '*') return true;
  if (isIP(host) === 0) return host === bare || host.endsWith(`.${bare}`);
  return isWithin(host, bare);
}

/** @param network an address, or a network in the form 10.0.0.0/8; anything else has no address in it */
function isWithin(host: string, network: string): boolean {
  const address = ipaddr.process(host);
  if (isIP(network) !== 0) return address.toNormalizedString() === ipaddr.process(network).toNormalizedString();
  if (!ipaddr.isValidCIDR(network)) return false;
  const [base, bits] = ipaddr.parseCIDR(network);
  return base.kind() === address.kind() && address.match(base, bits);
}

function readProxy({ name, value }: Named): ServiceProxy | undefined {
  const address = value.includes('://') ? value : `http://${value}`;
  if (!URL.canParse(address)) return undefined;
  const { protocol, host, hostname, username, password } = new URL(address);
  if (!/^https?:$/.test(protocol) || hostname === '') return undefined;
  const url = new URL(`${protocol}//${host}`);
  if (username === '' && password === '') return { url, variable: name };
  const pair = percentDecoded(`${username}:${password}`);
  return pair === undefined ? undefined : { url, variable: name, authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}
