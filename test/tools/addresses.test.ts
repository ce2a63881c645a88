import { isAllowed, isPublic, readAddress } from '../../activities/adapters/web-pages/addresses';
import { ToolRefusal } from '../../activities/tool-ports';

test.each([...['93.184.215.14', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700:4700::1111', '2a00:1450:4001:80e::200e']])(
  '%s is public',
  (address) => {
    expect(isPublic(address)).toBe(true);
  },
);

test.each([
  ...['127.0.0.1', '127.255.255.254', '0.0.0.0', '0.1.2.3', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '169.254.169.254'],
  ...['100.64.0.1', '100.100.100.200', '224.0.0.1', '239.255.255.250', '240.0.0.1', '255.255.255.255', '192.0.0.192', '198.18.0.1'],
  ...['192.0.2.1', '198.51.100.1', '203.0.113.1', '192.88.99.1', '168.63.129.16'],
  ...['::', '::1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::127.0.0.1', 'fe80::1', 'fec0::1', 'fc00::1', 'fd00:ec2::254', 'ff02::1'],
  ...['64:ff9b::7f00:1', '64:ff9b:1::1', '2002:7f00:1::', '2001::1', '2001:db8::1', '100::1', '3fff::1', '5f00::1', '::ffff:0:7f00:1'],
  ...['', 'localhost', '127.1', 'fe80::1%eth0'],
])('%s is not', (address) => {
  expect(isPublic(address)).toBe(false);
});

describe('a machine with public addresses', () => {
  const at = (address: string, cidr: string) => ({ address, cidr, netmask: '', mac: '', internal: false });
  const interfaces = {
    ens3: [
      { ...at('93.184.215.14', '93.184.215.14/24'), family: 'IPv4' as const },
      { ...at('2a00:1450:1:2::5', '2a00:1450:1:2::5/64'), family: 'IPv6' as const, scopeid: 0 },
    ],
    tun0: [{ ...at('5.6.7.8', '5.6.7.8/0'), family: 'IPv4' as const }],
  };
  test.each(['93.184.215.14', '93.184.215.200', '2a00:1450:1:2::5', '2a00:1450:1:2:dead::1', '5.6.7.8'])(
    'has neighbours there as elsewhere: %s is not asked',
    (address) => expect(isPublic(address, interfaces)).toBe(false),
  );
  test.each(['93.184.216.1', '2a00:1450:1:3::5', '5.6.7.9'])('asks all others: %s', (address) =>
    expect(isPublic(address, interfaces)).toBe(true),
  );
});

test.each<[string[], string, boolean]>([
  [['127.0.0.1:8080'], 'http://127.0.0.1:8080/x', true],
  [['127.0.0.1:8080'], 'http://127.0.0.1:8081/x', false],
  [['127.0.0.1:8080'], 'http://2130706433:8080/x', true],
  [['127.0.0.1'], 'http://127.0.0.1:9/', true],
  [['wiki.intern'], 'https://WIKI.intern/', true],
  [['wiki.intern'], 'https://x.wiki.intern/', false],
  [['wiki.intern:443'], 'https://wiki.intern/', true],
  [['wiki.intern:80'], 'https://wiki.intern/', false],
  [['::1'], 'http://[::1]:3/', true],
  [['[::1]:3'], 'http://[0:0:0:0:0:0:0:1]:3/', true],
  [['[::1]:3'], 'http://[::1]/', false],
  [['a b', ''], 'http://a/', false],
  [['127.0.0.1:80801', '127.0.0.1:8080.evil.org'], 'http://127.0.0.1:8080/', false],
  [['127.0.0.1:8080'], 'http://127.0.0.1.evil.org:8080/', false],
  [['127.0.0.1:8080/', '127.0.0.1:8080/x', '127.0.0.1:', 'x@127.0.0.1', '127.0.0.1#:8080'], 'http://127.0.0.1:22/', false],
  [['localhost'], 'http://localhost./', false],
])('%j allows %s: %p', (allowed, url, expected) => {
  expect(isAllowed(allowed, new URL(url))).toBe(expected);
});

test.each([
  'file:///etc/passwd',
  'ftp://x.org/',
  'data:text/plain,x',
  'javascript:1',
  'x.org',
  '',
  'http://',
  'http://u:p@x.org/',
  'https://u@x.org',
])('%j is not asked', (url) => {
  expect(() => readAddress(url)).toThrow(ToolRefusal);
});

test('a redirect is read from where it was found', () => {
  expect(readAddress('../b#part', new URL('https://x.org/a/c')).href).toBe('https://x.org/b');
  expect(() => readAddress('file:///x', new URL('https://x.org/'))).toThrow(ToolRefusal);
  expect(readAddress('//y.org/z', new URL('https://x.org/')).href).toBe('https://y.org/z');
});
