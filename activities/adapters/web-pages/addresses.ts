import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import { ToolRefusal } from '../../tool-ports';

/**
 * Whether an address is one of the public internet. All others are somebody's own: this machine, its network, the network's services
 * (clouds answer for their machines' identity at such addresses), or a different spelling of one of these.
 */
export function isPublic(address: string, interfaces: Interfaces = networkInterfaces()): boolean {
  if (isIP(address) === 0 || CLOUD_SERVICES.includes(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast' || isNear(parsed, interfaces)) return false;
  // Public addresses begin with the bits 001; the rest is reserved, or contains an IPv4 address.
  return parsed.kind() === 'ipv4' || parsed.match(PUBLIC_IPV6);
}

const PUBLIC_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');
/** Azure's address, which is in no private range. */
const CLOUD_SERVICES = ['168.63.129.16'];

type Interfaces = ReturnType<typeof networkInterfaces>;
type Parsed = ReturnType<typeof ipaddr.parse>;

/** A larger network is not one's own, whatever an interface says. */
const OWN_FROM_BITS = { ipv4: 16, ipv6: 48 };

/** This machine under a public address, or a neighbour in its network: with IPv6 every printer has such an address. */
function isNear(address: Parsed, interfaces: Interfaces): boolean {
  const networks = Object.values(interfaces).flatMap((entries) => (entries ?? []).flatMap(({ cidr }) => cidr ?? []));
  return networks.some((cidr) => {
    const [own, bits] = ipaddr.parseCIDR(cidr);
    if (own.kind() !== address.kind()) return false;
    return address.match(own, bits < OWN_FROM_BITS[own.kind()] ? own.toByteArray().length * 8 : bits);
  });
}

const PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** Whether the worker's owner allows this host, whatever its addresses are. `allowed`: `host` or `host:port`. */
export function isAllowed(allowed: readonly string[], url: URL): boolean {
  const port = url.port === '' ? PORTS[url.protocol] : url.port;
  return allowed.some((entry) => {
    const named = readAllowed(entry);
    return named !== undefined && named.host === url.hostname && (named.port === undefined || named.port === port);
  });
}

function readAllowed(entry: string): { host: string; port?: string } | undefined {
  const bare = isIP(entry) === 6 ? `[${entry}]` : entry;
  // Nothing may follow the port: anything but host and port would allow more than it seems to.
  if (!/^(\[[^\]]*\]|[^:/@?#\\\s]+)(:\d+)?$/.test(bare) || !URL.canParse(`http://${bare}`)) return undefined;
  const port = /:(\d+)$/.exec(bare.replace(/^\[[^\]]*\]/, 'host'))?.[1];
  const { hostname } = new URL(`http://${bare}`);
  return { host: hostname, ...(port === undefined ? {} : { port: String(Number(port)) }) };
}

/** An address that may be requested, as far as is known before its name is resolved. Fails with a `ToolRefusal`. */
export function readAddress(text: string, base?: URL): URL {
  if (!URL.canParse(text, base?.href))
    throw new ToolRefusal('the address cannot be parsed; write it in full, such as https://example.org/page');
  const url = new URL(text, base?.href);
  if (!(url.protocol in PORTS)) throw new ToolRefusal(`addresses begin with http: or https:, not ${url.protocol}`);
  if (url.username !== '' || url.password !== '') throw new ToolRefusal('an address must not contain a user name or a password');
  url.hash = '';
  return url;
}
