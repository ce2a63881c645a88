import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createPlainServer, type Socket } from 'node:net';
import { CONNECT_MS } from '../../../activities/adapters/http/connecting';
import { sendRequest as sendOrder } from '../../../activities/adapters/http/send';
import { responseStart } from '../../../activities/adapters/response-beginning';

/** How a request gets to a service, over a real connection. */
const servers: Server[] = [];

afterEach(async () => {
  jest.useRealTimers();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
});

async function served(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/x`;
}

const send = (url: string, signal = new AbortController().signal) =>
  sendOrder({ method: 'POST', url, headers: new Headers({ 'x-team': 'quant' }), body: '{"ä":1}', proxy: undefined }, signal);

test('brings the body and the headers, and the answer back', async () => {
  let got = {};
  const url = await served((request, response) => {
    request.on('data', (body) => {
      got = { method: request.method, url: request.url, body: String(body), team: request.headers['x-team'] };
      response.writeHead(201, { 'x-answer': ['a', 'b'] }).end('yes');
    });
  });
  const answer = await send(url);
  expect([answer.status, answer.headers.get('x-answer'), await answer.text()]).toEqual([201, 'a, b', 'yes']);
  expect(got).toEqual({ method: 'POST', url: '/v1/x', body: '{"ä":1}', team: 'quant' });
});

test('names its user agent, unless the caller does', async () => {
  const names: (string | undefined)[] = [];
  const url = await served(({ headers }, response) => {
    names.push(headers['user-agent']);
    response.end();
  });
  await (await send(url)).text();
  const headers = new Headers({ 'user-agent': 'other/1.0' });
  await (await sendOrder({ method: 'POST', url, headers, body: '', proxy: undefined }, new AbortController().signal)).text();
  expect(names).toEqual(['thermidor', 'other/1.0']);
});

test('uses a connection once: none that was closed meanwhile breaks the next request', async () => {
  const sockets = new Set<Socket>();
  const asked: (string | undefined)[] = [];
  const url = await served(({ socket, headers }, response) => {
    sockets.add(socket);
    asked.push(headers.connection);
    response.end('yes');
  });
  for (let n = 0; n < 3; n++) await (await send(url)).text();
  expect(sockets.size).toBe(3);
  expect(asked).toEqual(['close', 'close', 'close']);
});

test('follows no redirect', async () => {
  const url = await served((_, response) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end());
  expect((await send(url)).status).toBe(307);
});

test('an answer without a body is one', async () => {
  const url = await served((_, response) => response.writeHead(204).end());
  const answer = await send(url);
  expect([answer.status, await responseStart(answer, 1000)]).toEqual([204, '']);
});

test('a status that there is not is a failure of the request, and of nothing else', async () => {
  const url = await served((_, response) => response.writeHead(999).end('x'));
  await expect(send(url)).rejects.toThrow();
});

test('an offer of another protocol is a failure of the request, and nobody waits for an answer after it', async () => {
  const url = await served(({ socket }) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n');
  });
  await expect(send(url)).rejects.toThrow();
});

test('of a refusal that never ends no more than a beginning is read, and its connection is closed', async () => {
  let gone: Promise<unknown> | undefined;
  const url = await served((_, response) => {
    gone = once(response, 'close');
    response.writeHead(500);
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(10_000)));
    };
    response.on('drain', more);
    more();
  });
  expect((await responseStart(await send(url), 1000)).length).toBeLessThan(1_000_000);
  await gone;
});

test('an answer that nobody reads is let go, and its connection is closed', async () => {
  let gone: Promise<unknown> | undefined;
  const url = await served((_, response) => {
    gone = once(response, 'close');
    response.write('half');
  });
  await (await send(url)).body?.cancel();
  await gone;
});

test.each(['before the answer', 'within the answer'])('cancelled %s, closes its connection', async (when) => {
  let gone: Promise<unknown> | undefined;
  const off = new AbortController();
  const url = await served((_, response) => {
    gone = once(response, 'close');
    if (when === 'before the answer') off.abort();
    else response.write('half');
  });
  const answer = send(url, off.signal);
  if (when === 'before the answer') await expect(answer).rejects.toThrow();
  else {
    const reading = (await answer).text();
    off.abort();
    await expect(reading).rejects.toThrow();
  }
  await gone;
});

test('fails if a connection is not established', async () => {
  // Says nothing, so that the handshake never ends.
  const silent = createPlainServer();
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  const asked = send(`https://127.0.0.1:${(silent.address() as AddressInfo).port}/`);
  const [socket] = await once(silent, 'connection');
  jest.advanceTimersByTime(CONNECT_MS);
  await expect(asked).rejects.toThrow(`${CONNECT_MS} ms`);
  socket.destroy();
  await new Promise((done) => silent.close(done));
});

test('an answer that ends just as it is let go harms nobody', async () => {
  const url = await served((_, response) => response.end());
  const { body } = await send(url);
  await body?.pipeThrough(new TransformStream()).cancel();
  // An error that nobody can catch is thrown before the next turn of the event loop.
  await new Promise((done) => setImmediate(done));
});
