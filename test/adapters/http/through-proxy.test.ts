import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { CONNECT_MS } from '../../../activities/adapters/http/connecting';
import { proxyFor } from '../../../activities/adapters/http/proxy';
import { sendRequest } from '../../../activities/adapters/http/send';
import { ProxyRefusal } from '../../../activities/adapters/http/through-proxy';
import { ALARMS, standStill } from '../../support/fake-timers';
import { type ProxyServer, refuse, type Says, startProxy } from '../../support/proxy-server';

/**
 * Requests through a proxy, over real connections. Both ends of TLS share a key: a certificate would expire one day.
 */
const mockShared = {
  key: Buffer.from('00112233445566778899aabbccddeeff', 'hex'),
  ciphers: 'PSK-AES128-CBC-SHA256',
  maxVersion: 'TLSv1.2',
} as const;

jest.mock('node:tls', () => {
  const tls = jest.requireActual<typeof import('node:tls')>('node:tls');
  return {
    ...tls,
    connect: (options: ConnectionOptions) => {
      const { key, ...shared } = mockShared;
      return tls.connect({
        ...options,
        ...shared,
        pskCallback: () => ({ psk: key, identity: options.servername ?? '' }),
        checkServerIdentity: () => undefined,
      });
    },
  };
});

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  jest.useRealTimers();
  for (const close of closing.splice(0)) await close();
});

interface Way {
  proxy: ProxyServer;
  /** The host names for which TLS was begun. */
  names: string[];
  post(signal?: AbortSignal): Promise<Response>;
}

type Form = 'https' | 'http';

/** A service with or without TLS, and a proxy that leads there. */
async function way(form: Form, listener: RequestListener, says?: Says): Promise<Way> {
  const names: string[] = [];
  const pskCallback = (_: unknown, identity: string) => {
    names.push(identity);
    return mockShared.key;
  };
  const { ciphers, maxVersion } = mockShared;
  const server: Server = form === 'http' ? createServer(listener) : createSecureServer({ pskCallback, ciphers, maxVersion }, listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy = await startProxy((server.address() as AddressInfo).port, says);
  closing.push(proxy.close, () => {
    server.closeAllConnections();
    return new Promise((done) => server.close(done));
  });
  return { proxy, names, post: (signal = new AbortController().signal) => ask(form, proxy.host, signal) };
}

function ask(form: Form, host: string, signal = new AbortController().signal): Promise<Response> {
  const url = `${form}://api.example.test/v1/x?y=1`;
  const proxy = proxyFor(url, { [`${form}_proxy`]: `http://me:hunter2@${host}` }, 'model.bad-request');
  const headers = new Headers({ authorization: 'Bearer key' });
  return sendRequest({ method: 'POST', url, headers, body: '{"ä":1}', proxy }, signal);
}

const PROOF = `Basic ${Buffer.from('me:hunter2').toString('base64')}`;
const FORMS: Form[] = ['https', 'http'];

/** The error of the proxy's connection when its other end lets it go. */
async function stopProxy({ proxy }: Way): Promise<void> {
  const socket = await proxy.taken;
  socket.resume();
  if (!socket.closed) await once(socket, 'close');
}

const UNUSED: RequestListener = () => {
  throw new Error('the service is not to be asked');
};

test.each(FORMS)('over %s, brings the request and its answer', async (form) => {
  let got = {};
  const { post, proxy } = await way(form, (request, response) => {
    request.on('data', (body) => {
      const { method, url, headers } = request;
      got = {
        method,
        url,
        body: String(body),
        host: headers.host,
        connection: headers.connection,
        key: headers.authorization,
        proof: headers['proxy-authorization'],
      };
      response.writeHead(429, { 'retry-after': '7' }).end('slow down');
    });
  });
  const answer = await post();
  expect([answer.status, answer.headers.get('retry-after'), await answer.text()]).toEqual([429, '7', 'slow down']);
  expect(got).toMatchObject({
    method: 'POST',
    url: '/v1/x?y=1',
    body: '{"ä":1}',
    host: 'api.example.test',
    connection: 'close',
    key: 'Bearer key',
  });
  expect(proxy.requests).toHaveLength(1);
});

test('what goes over TLS the proxy does not see: it is asked for the host, and shown who one is', async () => {
  const seen: unknown[] = [];
  const { post, proxy, names } = await way('https', ({ headers }, response) => {
    seen.push(headers['proxy-authorization']);
    response.end('yes');
  });
  await (await post()).text();
  const headers = { host: 'api.example.test:443', connection: 'close', 'proxy-authorization': PROOF };
  expect(proxy.requests).toEqual([{ method: 'CONNECT', url: 'api.example.test:443', headers }]);
  expect([names, seen]).toEqual([['api.example.test'], [undefined]]);
});

test('what goes without TLS is handed to the proxy with its whole address', async () => {
  const { post, proxy } = await way('http', (_, response) => response.end('yes'));
  await (await post()).text();
  expect(proxy.requests).toMatchObject([
    { method: 'POST', url: 'http://api.example.test/v1/x?y=1', headers: { host: 'api.example.test', 'proxy-authorization': PROOF } },
  ]);
});

test.each(FORMS)('over %s, pieces come as they are sent', async (form) => {
  const steps: (() => void)[] = [];
  const { post } = await way(form, (_, response) => {
    response.write('one');
    steps.push(() => response.end('two'));
  });
  const reader = (await post()).body?.getReader();
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('one');
  for (const step of steps) step();
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('two');
  expect((await reader?.read())?.done).toBe(true);
});

test.each(FORMS)('over %s, cancelled before the answer or within it, closes both connections', async (form) => {
  for (const when of ['before', 'within'] as const) {
    const off = new AbortController();
    let gone: Promise<unknown> | undefined;
    const there = await way(form, (_, response) => {
      gone = once(response, 'close');
      if (when === 'before') off.abort();
      else response.write('half');
    });
    const asked = there.post(off.signal);
    if (when === 'before') await expect(asked).rejects.toThrow();
    else {
      const reading = (await asked).text();
      off.abort();
      await expect(reading).rejects.toThrow();
    }
    await gone;
    await stopProxy(there);
  }
});

test.each(FORMS)('over %s, a proxy that wants to know who one is refuses, and its connection is closed', async (form) => {
  const there = await way(form, UNUSED, refuse(407, { 'proxy-authenticate': 'Basic realm="x"' }));
  await expect(there.post()).rejects.toMatchObject({ name: 'ProxyRefusal', status: 407, message: expect.not.stringContaining('hunter2') });
  await stopProxy(there);
});

test('a proxy that was shown nobody is refused with how to name one', () => {
  const proxy = proxyFor('https://x.example.test', { HTTPS_PROXY: 'http://proxy.example.test:3128' }, 'model.bad-request');
  expect(proxy && new ProxyRefusal(proxy, 407, new Headers()).message).toContain(
    'HTTPS_PROXY=http://USER:PASSWORD@proxy.example.test:3128',
  );
});

test.each([403, 429, 503])('a proxy that does not open the way refuses with its status and headers: %s', async (status) => {
  const there = await way('https', UNUSED, refuse(status, { 'retry-after': '7' }));
  const refused = await there.post().catch((error: unknown) => error);
  expect(refused).toMatchObject({ name: 'ProxyRefusal', status, message: expect.stringContaining(there.proxy.host) });
  expect((refused as { headers: Headers }).headers.get('retry-after')).toBe('7');
  await stopProxy(there);
});

test.each(FORMS)('over %s, a proxy that is gone is reported by its host alone', async (form) => {
  const { proxy } = await way(form, UNUSED);
  await proxy.close();
  await expect(ask(form, proxy.host)).rejects.toThrow(new RegExp(`^the proxy ${proxy.host} ((?!hunter2).)*ECONNREFUSED$`));
});

test('what answers in no words of a proxy is reported as one that cannot be reached', async () => {
  const { post, proxy } = await way('https', UNUSED, (socket) => void socket.end('220 mail.example.test ESMTP\r\n'));
  await expect(post()).rejects.toThrow(`the proxy ${proxy.host}`);
});

test('cancelled while the proxy says nothing, closes its connection', async () => {
  const off = new AbortController();
  const there = await way('https', UNUSED, () => off.abort());
  await expect(there.post(off.signal)).rejects.toThrow();
  await stopProxy(there);
});

test('a proxy that says nothing for long is given up', async () => {
  let reach = (): void => undefined;
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const { post } = await way('https', UNUSED, () => reach());
  standStill(...ALARMS);
  const asked = post();
  await reached;
  jest.advanceTimersByTime(CONNECT_MS);
  await expect(asked).rejects.toThrow(`${CONNECT_MS} ms`);
});
