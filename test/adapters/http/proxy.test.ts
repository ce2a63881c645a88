import { proxyFor } from '../../../activities/adapters/http/proxy';
import { ThermidorFailure } from '../../../plan/run/failure';

/** The addresses that are reached through a proxy, and through which. */
const of = (address: string, env: NodeJS.ProcessEnv) => proxyFor(address, env, 'model.bad-request');
const PROXY = 'http://proxy.corp:3128';

test.each<[what: string, address: string, env: NodeJS.ProcessEnv, host: string | undefined]>([
  ['https by the variable for https', 'https://api.x.org/v1', { HTTPS_PROXY: PROXY, HTTP_PROXY: 'http://other:1' }, 'proxy.corp:3128'],
  ['http by the variable for http', 'http://api.x.org/v1', { HTTP_PROXY: PROXY, HTTPS_PROXY: 'http://other:1' }, 'proxy.corp:3128'],
  ['http not by the variable for https', 'http://api.x.org/v1', { HTTPS_PROXY: PROXY }, undefined],
  ['small letters before capital ones', 'https://api.x.org', { HTTPS_PROXY: 'http://other:1', https_proxy: PROXY }, 'proxy.corp:3128'],
  ['nothing by an empty variable', 'https://api.x.org', { HTTPS_PROXY: ' ' }, undefined],
  ['a proxy without a protocol', 'https://api.x.org', { HTTPS_PROXY: 'proxy.corp:3128' }, 'proxy.corp:3128'],
  ['a proxy that is spoken to with TLS', 'https://api.x.org', { HTTPS_PROXY: 'https://proxy.corp' }, 'proxy.corp'],
])('%s', (_, address, env, host) => {
  expect(of(address, env)?.url.host).toBe(host);
});

test.each([
  ['this machine', 'http://localhost:11434/v1', ''],
  ['this machine by address', 'http://127.0.0.3:11434/v1', ''],
  ['this machine by its newer address', 'http://[::1]:11434/v1', ''],
  ['this machine, written otherwise', 'http://[::ffff:127.0.0.1]/v1', ''],
  ['this machine, by what a server listens to', 'http://0.0.0.0:11434/v1', ''],
  ['this machine, by what a server of the newer addresses listens to', 'http://[::]:11434/v1', ''],
  ['everything', 'http://api.x.org', '*'],
  ['a host', 'http://api.x.org', 'other, API.X.org'],
  ['a host whose name is whole', 'http://api.x.org.', 'api.x.org'],
  ['what is below a host', 'http://api.x.org', 'x.org'],
  ['what is below a host, with a dot', 'http://api.x.org', '.x.org'],
  ['what is below a host, with a star', 'http://api.x.org', '*.x.org'],
  ['entries with spaces between them', 'http://api.x.org', 'a.org x.org'],
  ['a host with its port', 'http://api.x.org:8080', 'x.org:8080'],
  ['a host with the usual port', 'http://api.x.org', 'x.org:80'],
  ['an address', 'http://10.1.2.3/v1', '10.1.2.3'],
  ['a network', 'http://10.1.2.3/v1', '10.0.0.0/8'],
  ['a newer address', 'http://[fd00::7]:8080/v1', 'fd00:0::7'],
  ['a newer address with its port', 'http://[fd00::7]:8080/v1', '[fd00::7]:8080'],
  ['a newer network', 'http://[fd00::7]/v1', 'fd00::/8'],
])('asked directly: %s', (_, address, exceptions) => {
  expect(of(address, { HTTP_PROXY: PROXY, NO_PROXY: exceptions })).toBeUndefined();
});

test.each([
  ['a host of which only the end is alike', 'http://notx.org', 'x.org'],
  ['another port', 'http://x.org:8081', 'x.org:8080'],
  ['another address', 'http://10.1.2.3', '10.1.2.30'],
  ['an address of another network', 'http://11.1.2.3', '10.0.0.0/8'],
  ['an address of another kind', 'http://10.1.2.3', 'fd00::/8'],
  ['a host, by a network', 'http://x.org', '10.0.0.0/8'],
  ['nothing that is listed', 'http://x.org', ' , .,'],
])('asked through the proxy all the same: %s', (_, address, exceptions) => {
  expect(of(address, { HTTP_PROXY: PROXY, no_proxy: exceptions })).toBeDefined();
});

test('a user and a password are in nothing but what is shown to the proxy', () => {
  const proxy = of('https://x.org', { HTTPS_PROXY: 'http://me:s%40cret@proxy.corp:3128' });
  expect(proxy).toMatchObject({ authorization: `Basic ${Buffer.from('me:s@cret').toString('base64')}`, variable: 'HTTPS_PROXY' });
  expect(proxy?.url.href).toBe('http://proxy.corp:3128/');
});

test.each(['socks5://me:hunter2@proxy.corp:1080', 'http://me:hunter2@', 'http://me:%zz-hunter2@proxy.corp'])(
  'what is not the address of a proxy is refused by the name of its variable, and not quoted: %s',
  (value) => {
    const asked = () => of('https://x.org', { https_proxy: value });
    expect(asked).toThrow(ThermidorFailure);
    expect(asked).toThrow(/^https_proxy ((?!hunter2).)*$/);
  },
);
