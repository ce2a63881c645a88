import type { ServerResponse } from 'node:http';
import type { ToolServerSpec } from '../../plan/agents/adapter';
import { codeOf, failureOf } from '../activities/workshop';
import { ALARMS, standStill } from '../support/fake-timers';
import { type ProxyServer, refuse, type Says, startProxy } from '../support/proxy-server';
import { type HttpServer, httpServer } from './http-server';
import { NEVER, opened } from './servers';

const servers: Pick<HttpServer, 'close'>[] = [];

// No time limit ends anything here, however slow the machine is.
beforeEach(() => standStill(...ALARMS));
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
  jest.useRealTimers();
});

async function serve(...as: Parameters<typeof httpServer>): Promise<{ web: HttpServer; spec: ToolServerSpec }> {
  const web = await httpServer(...as);
  servers.push(web);
  return { web, spec: { kind: 'http', url: web.url, headers: { authorization: 'secret://env/TOKEN' } } };
}

const env = { TOKEN: 'Bearer hush-hush' };

test('a server over HTTP is called with its headers, and notified when the session ends', async () => {
  const { web, spec } = await serve();
  const { server, logged } = await opened(spec, {}, { env });
  expect(server.tools.map(({ name }) => name)).toEqual(['ping']);
  await expect(server.call('ping', {}, NEVER)).resolves.toEqual({ text: 'pong' });
  await server.close();
  expect(web.requests.map(({ method, rpc }) => rpc ?? method)).toEqual([
    'initialize',
    'notifications/initialized',
    'tools/list',
    'tools/call',
    'DELETE',
  ]);
  expect(web.requests.every(({ headers }) => headers.authorization === env.TOKEN)).toBe(true);
  expect(logged).toEqual([]);
  await web.gone();
});

test('a server that has forgotten the session is greeted again by the next call', async () => {
  let forgotten = false;
  const { spec } = await serve((response, { method }) => {
    if (method !== 'tools/call' || forgotten) return false;
    forgotten = true;
    response.writeHead(404).end('who are you?');
    return true;
  });
  const { server } = await opened(spec, {}, { env });
  await expect(codeOf(server.call('ping', {}, NEVER))).resolves.toBe('tool.failed');
  await expect(server.call('ping', {}, NEVER)).resolves.toEqual({ text: 'pong' });
});

test.each([
  ['HTML', 200, 'text/html', '<html>', /is "url" the address/],
  ['no leave', 401, 'text/plain', 'token hush-hush is wrong', /need a header/],
])('what answers with %s is no server, and the failure says what to look at', async (_, status, type, body, hint) => {
  const { spec } = await serve((response) => {
    response.writeHead(status, { 'content-type': type }).end(body);
    return true;
  });
  const failure = await failureOf(opened(spec, {}, { env }));
  expect(failure.code).toBe('tool.failed');
  expect(failure.message).toMatch(hint);
  expect(failure.message).not.toContain('hush-hush');
});

test('a server that does not listen is reported', async () => {
  const { web, spec } = await serve();
  await web.close();
  const failure = await failureOf(opened(spec, {}, { env }));
  expect(failure).toMatchObject({ code: 'tool.failed' });
  expect(failure.message).toMatch(/ECONNREFUSED/);
});

test('a redirect to another place is not followed', async () => {
  const { web } = await serve();
  const { spec } = await serve((response) => {
    response.writeHead(307, { location: web.url }).end();
    return true;
  });
  await expect(codeOf(opened(spec, {}, { env }))).resolves.toBe('tool.failed');
  expect(web.requests).toEqual([]);
});

test('an answer without an end is cut off', async () => {
  const { spec } = await serve((response, { method }) => {
    if (method !== 'tools/call') return false;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const more = () => void (response.destroyed || response.write('x'.repeat(1 << 16), more));
    more();
    return true;
  });
  const { server } = await opened(spec, { messageBytes: 1 << 20 }, { env });
  const failure = await failureOf(server.call('ping', {}, NEVER));
  expect(failure.code).toBe('tool.failed');
  expect(failure.message).toContain(`larger than ${1 << 20} bytes`);
});

const STREAM = { 'content-type': 'text/event-stream' };
const answerTo = (id: number | undefined, text: string) =>
  `data: ${JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } })}\n\n`;
/** This event tells the client to resume at once. */
const BEGUN = 'id: e1\nretry: 1\ndata: \n\n';

describe('an answer whose stream ends before it', () => {
  test.each<[string, (response: ServerResponse, id: number | undefined) => void]>([
    ['with its first byte', (response) => response.end()],
    ['behind other events', (response) => response.end(': alive\n\ndata: {"jsonrpc":"2.0","method":"notifications/message"}\n\n')],
    ['with one for somebody else', (response, id = 0) => response.end(answerTo(id + 1, 'not for you'))],
    ['with one that is none', (response, id) => response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: 'so' })}\n\n`)],
    ['torn off with its connection', (response, id) => void response.write(answerTo(id, 'half').slice(0, 40), () => response.destroy())],
  ])('fails at once, and alone: %s', async (_, end) => {
    let cut = false;
    const { spec, web } = await serve((response, { method, id }) => {
      if (method !== 'tools/call' || cut) return false;
      cut = true;
      response.writeHead(200, STREAM).flushHeaders();
      end(response, id);
      return true;
    });
    const { server } = await opened(spec, {}, { env });
    const failure = await failureOf(server.call('ping', {}, NEVER));
    expect(failure).toMatchObject({ code: 'tool.failed', message: expect.stringContaining('ended before its answer') });
    await expect(server.call('ping', {}, NEVER)).resolves.toEqual({ text: 'pong' });
    expect(web.requests.filter(({ rpc }) => rpc === 'initialize')).toHaveLength(1);
  });

  test('fails at once if the server is only greeted', async () => {
    const { spec } = await serve((response) => {
      response.writeHead(200, STREAM).end();
      return true;
    });
    await expect(codeOf(opened(spec, {}, { env }))).resolves.toBe('tool.failed');
  });

  describe('after an event with an id', () => {
    // The SDK resumes after a time that the server chooses.
    beforeEach(() => jest.useRealTimers());

    function broken(takeUp: Parameters<typeof httpServer>[1]) {
      let id: number | undefined;
      return serve(
        (response, rpc) => {
          if (rpc.method !== 'tools/call') return false;
          id = rpc.id;
          response.writeHead(200, STREAM).write(BEGUN, () => response.destroy());
          return true;
        },
        takeUp && ((response, lastEvent) => takeUp(response, `${lastEvent} ${answerTo(id, 'late')}`)),
      );
    }

    test('is taken up, and again', async () => {
      let times = 0;
      const { spec } = await broken((response, said) => {
        times += 1;
        if (times === 1) return void response.writeHead(503).end();
        response.writeHead(200, STREAM);
        if (times === 2) return void response.write('id: e2\ndata: \n\n', () => response.destroy());
        expect(said).toMatch(/^e2 /);
        response.end(said.slice(3));
      });
      const { server } = await opened(spec, {}, { env });
      await expect(server.call('ping', {}, NEVER)).resolves.toEqual({ text: 'late' });
      expect(times).toBe(3);
    });

    test.each<[string, Parameters<typeof httpServer>[1]]>([
      ['the server knows no such streams', undefined],
      ['it is not to be had', (response) => void response.writeHead(500).end()],
      ['nobody is there any more', (response) => void response.destroy()],
      ['it ends too, without an event', (response) => void response.writeHead(200, STREAM).end()],
      [
        'it breaks off without end',
        (response, said) => {
          response.writeHead(200, STREAM).end(`id: ${said.slice(0, 2)}\ndata: \n\n`);
        },
      ],
    ])('fails where %s', async (_, takeUp) => {
      const { spec } = await broken(takeUp);
      const { server } = await opened(spec, {}, { env });
      const failure = await failureOf(server.call('ping', {}, NEVER));
      expect(failure).toMatchObject({ code: 'tool.failed', message: expect.stringContaining('ended before its answer') });
    });
  });
});

test('nothing is said about a stream that ends once its call was cancelled', async () => {
  let endResponse: () => void = () => undefined;
  const { spec, web } = await serve((response, { method }) => {
    if (method !== 'tools/call') return false;
    response.writeHead(200, STREAM).flushHeaders();
    endResponse = () => response.end();
    return true;
  });
  const { server, logged } = await opened(spec, {}, { env });
  const control = new AbortController();
  const called = server.call('ping', {}, control.signal);
  while (web.requests.at(-1)?.rpc !== 'tools/call') await new Promise(setImmediate);
  control.abort(new Error('cancelled'));
  await expect(called).rejects.toThrow('cancelled');
  while (web.requests.at(-1)?.rpc !== 'notifications/cancelled') await new Promise(setImmediate);
  endResponse();
  await web.gone();
  expect(logged).toEqual([]);
});

test('a call that nobody answers ends with the signal', async () => {
  const { spec } = await serve((_, { method }) => method === 'tools/call');
  const { server } = await opened(spec, {}, { env });
  const control = new AbortController();
  const reason = new Error('cancelled');
  const called = server.call('ping', {}, control.signal);
  control.abort(reason);
  await expect(called).rejects.toBe(reason);
});

test('a server is asked by way of the proxy that the environment names, which is reported if it refuses', async () => {
  const { web } = await serve();
  const port = Number(new URL(web.url).port);
  const spec: ToolServerSpec = { kind: 'http', url: 'http://tools.example.test/mcp' };
  const [proxy, closed] = [await startProxy(port), await startProxy(port, refuse(407))];
  servers.push(proxy, closed);
  const by = ({ host }: ProxyServer) => ({ env: { HTTP_PROXY: `http://me:hunter2@${host}` } });
  const { server } = await opened(spec, {}, by(proxy));
  await expect(server.call('ping', {}, NEVER)).resolves.toEqual({ text: 'pong' });
  await server.close();
  expect(proxy.requests.map(({ method, url }) => `${method} ${url}`)).toContain(`DELETE ${spec.url}`);
  const failure = await failureOf(opened(spec, {}, by(closed)));
  expect(failure).toMatchObject({ code: 'tool.failed', message: expect.stringContaining(closed.host) });
  expect(failure.message).not.toContain('hunter2');
});

test('what proves who one is to a proxy is masked if that repeats it', async () => {
  const says: Says = (socket) =>
    refuse(400, {}, `not by ${'req' in socket ? socket.req.headers['proxy-authorization'] : undefined}`)(socket);
  const proxy = await startProxy(0, says);
  servers.push(proxy);
  const spec: ToolServerSpec = { kind: 'http', url: 'http://tools.example.test/mcp' };
  const failure = await failureOf(opened(spec, {}, { env: { HTTP_PROXY: `http://me:hunter2@${proxy.host}` } }));
  expect(failure.message).toContain('not by ***');
});
