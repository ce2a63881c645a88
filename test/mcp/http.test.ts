import type { ToolServerSpec } from '../../plan/adapter';
import { codeOf, failureOf } from '../activities/workshop';
import { type HttpServer, httpServer } from './http-server';
import { NEVER, opened } from './servers';

const servers: HttpServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(odd?: Parameters<typeof httpServer>[0]): Promise<{ web: HttpServer; spec: ToolServerSpec }> {
  const web = await httpServer(odd);
  servers.push(web);
  return { web, spec: { kind: 'http', url: web.url, headers: { authorization: 'secret://env/TOKEN' } } };
}

const env = { TOKEN: 'Bearer hush-hush' };

test('a server over HTTP is called with its headers, and told when the session ends', async () => {
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
  await expect(web.connections()).resolves.toBe(0);
});

test('a server that has forgotten the session is greeted anew by the next call', async () => {
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

test('where nobody listens is told', async () => {
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
  const { server } = await opened(spec, { messageBytes: 1 << 20, silentMs: 1500 }, { env });
  await expect(codeOf(server.call('ping', {}, NEVER))).resolves.toBe('tool.failed');
});

test('a call that nobody answers ends with the signal', async () => {
  const { spec } = await serve((_, { method }) => method === 'tools/call');
  const { server } = await opened(spec, {}, { env });
  const control = new AbortController();
  const reason = new Error('called off');
  const called = server.call('ping', {}, control.signal);
  control.abort(reason);
  await expect(called).rejects.toBe(reason);
});
