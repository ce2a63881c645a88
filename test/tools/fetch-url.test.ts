import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { DirectPages, type DirectPagesOptions } from '../../activities/adapters/web-pages/direct-pages';
import type { ToolAnswer } from '../../activities/tools/tool';
import { RESULT_CHARACTERS } from '../../activities/tools/truncate-result';
import type { JsonObject } from '../../plan/text/json';
import { codeOf } from '../activities/workshop';
import { toolBench } from './tool-use';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const servers: Server[] = [];
const sockets = new Set<Socket>();
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

async function serve(answer: Answer): Promise<{ port: number; asked: IncomingMessage[] }> {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    answer(request, response);
  });
  server.on('connection', (socket) => sockets.add(socket));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, asked };
}

const says =
  (body: string | Buffer, headers: Record<string, string> = { 'content-type': 'text/plain' }, status = 200): Answer =>
  (_, response) =>
    response.writeHead(status, headers).end(body);

function fetching(options: DirectPagesOptions): (args: JsonObject, signal?: AbortSignal) => Promise<ToolAnswer> {
  const { call } = toolBench({ web: new DirectPages(options) });
  return (args, signal) => call('fetch_url', args, signal ? { signal } : {});
}

/** Fetches from a server that is allowed. */
async function fetched(answer: Answer, more: JsonObject = {}): Promise<string> {
  const { port } = await serve(answer);
  const { text, refused } = await fetching({ allowPrivate: [`127.0.0.1:${port}`] })({ url: `http://127.0.0.1:${port}/a`, ...more });
  expect(refused).toBeUndefined();
  return text.split('\n').slice(3).join('\n');
}

describe('an address of this machine', () => {
  test.each(['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '0177.0.0.1', '0', '[::1]', '[::ffff:127.0.0.1]', '127.1'])(
    '%s is refused, and nobody is asked',
    async (host) => {
      const { port, asked } = await serve(says('SECRET'));
      expect(await fetching({})({ url: `http://${host}:${port}/` })).toMatchObject({ refused: true });
      expect(asked).toEqual([]);
    },
  );

  test('is asked if it is allowed, on its port alone', async () => {
    const [open, closed] = [await serve(says('hello')), await serve(says('SECRET'))];
    const fetch = fetching({ allowPrivate: [`127.0.0.1:${open.port}`] });
    const { text } = await fetch({ url: `http://127.0.0.1:${open.port}/a#part` });
    expect(text).toBe(`http://127.0.0.1:${open.port}/a\nstatus 200, text/plain\n\nhello`);
    expect(await fetch({ url: `http://127.0.0.1:${closed.port}/` })).toMatchObject({ refused: true });
    expect(closed.asked).toEqual([]);
  });

  test('is not reached by a redirect, whatever the first server is', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      const closed = await serve(says('SECRET'));
      const open = await serve(says('', { location: `http://127.0.0.1:${closed.port}/` }, status));
      const fetch = fetching({ allowPrivate: [`127.0.0.1:${open.port}`] });
      expect(await fetch({ url: `http://127.0.0.1:${open.port}/` })).toMatchObject({ refused: true });
      expect(closed.asked).toEqual([]);
    }
  });
});

describe('a name', () => {
  test('is refused if one of its addresses is private', async () => {
    const { port, asked } = await serve(says('SECRET'));
    const resolve = async () => [
      { address: '1.1.1.1', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ];
    expect(await fetching({ resolve })({ url: `http://x.example:${port}/` })).toMatchObject({ refused: true });
    expect(asked).toEqual([]);
  });

  test('is resolved once for a request: what was checked is what is asked', async () => {
    const { port, asked } = await serve(says('hello'));
    const resolved: string[] = [];
    // An attacker's resolver gives a different answer each time.
    const resolve = async (host: string) => [{ address: resolved.push(host) === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }];
    await fetching({ resolve, allowPrivate: ['x.example'] })({ url: `http://x.example:${port}/` });
    expect(resolved).toEqual(['x.example']);
    expect(asked.map(({ headers }) => headers.host)).toEqual([`x.example:${port}`]);
  });

  test('is resolved again for a redirect to itself, and refused if it has become private', async () => {
    const { port } = await serve(says('', { location: `http://y.example/` }, 302));
    const resolve = async (host: string) => [{ address: host === 'y.example' ? '10.0.0.1' : '127.0.0.1', family: 4 }];
    const fetch = fetching({ resolve, allowPrivate: ['x.example'] });
    expect(await fetch({ url: `http://x.example:${port}/` })).toMatchObject({ refused: true });
  });

  test('that cannot be resolved is reported', async () => {
    const resolve = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
    expect(await codeOf(fetching({ resolve })({ url: 'http://x.example/' }))).toBe('tool.failed');
  });
});

test('five redirects are followed, the sixth is refused', async () => {
  const { port } = await serve(({ url = '' }, response) => {
    const left = Number(url.slice(1));
    if (left === 0) response.end('there');
    else response.writeHead(302, { location: `/${left - 1}` }).end();
  });
  const fetch = fetching({ allowPrivate: ['127.0.0.1'] });
  expect((await fetch({ url: `http://127.0.0.1:${port}/5` })).text).toMatch(/\/0\nstatus 200.*\n\nthere$/);
  expect(await fetch({ url: `http://127.0.0.1:${port}/6` })).toMatchObject({ refused: true });
});

test('nothing of the worker goes along: no cookie of an answer before, no credentials, no body', async () => {
  const { port, asked } = await serve(({ url }, response) => {
    response.writeHead(url === '/' ? 302 : 200, { location: '/b', 'set-cookie': 'a=b', 'content-type': 'text/plain' }).end('x');
  });
  await fetching({ allowPrivate: ['127.0.0.1'] })({ url: `http://127.0.0.1:${port}/` });
  expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /', 'GET /b']);
  const headers = asked.flatMap((request) => Object.keys(request.headers));
  expect(new Set(headers)).toEqual(new Set(['user-agent', 'accept', 'accept-encoding', 'host', 'connection']));
});

describe('what is answered', () => {
  test('is reported with its status, even if that is no good one', async () => {
    const { port } = await serve(says('no such page', { 'content-type': 'text/plain' }, 404));
    const { text } = await fetching({ allowPrivate: ['127.0.0.1'] })({ url: `http://127.0.0.1:${port}/` });
    expect(text).toContain('status 404, text/plain\n\nno such page');
  });

  test('is given as readable text if it is a page', async () => {
    expect(await fetched(says('<h1>A</h1><script>x</script><p>b', { 'content-type': 'text/html' }))).toBe('# A\n\nb');
  });

  test.each<[string, Buffer, string]>([
    ['its charset', Buffer.from([0xe9]), 'text/plain; charset=ISO-8859-1'],
    ['one its head names', Buffer.from('<meta charset="latin1">\xe9', 'latin1'), 'text/html'],
    ['UTF-8', Buffer.from('é'), 'text/plain; charset=no-such'],
    ['UTF-16 by its mark', Buffer.from('\ufeffé', 'utf16le'), 'text/plain'],
    ['packed', gzipSync('é'), 'text/plain+gzip'],
  ])('is read by %s', async (_, body, type) => {
    const headers = type.endsWith('+gzip') ? { 'content-type': 'text/plain', 'content-encoding': 'gzip' } : { 'content-type': type };
    expect(await fetched(says(body, headers))).toBe('é');
  });

  test.each([
    ['image/png', Buffer.from('x')],
    ['application/octet-stream', Buffer.from('x')],
    ['', Buffer.from([0, 1, 2])],
  ])('of type %j is not shown where it is no text', async (type, body) => {
    expect(await fetched(says(body, type === '' ? {} : { 'content-type': type }))).toBe('[not text, not shown]');
  });

  test('is read as far as the limit, even if it never ends or unpacks to very much', async () => {
    const endless: Answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      const more = () => {
        while (response.write('x'.repeat(10_000)));
      };
      response.on('drain', more);
      more();
    };
    expect(await fetched(endless, { max_bytes: 10 })).toMatch(/^x{10}\n\[only the first 10 bytes/);
    const bomb = says(gzipSync(Buffer.alloc(50_000_000, 'x')), { 'content-type': 'text/plain', 'content-encoding': 'gzip' });
    const text = await fetched(bomb);
    expect(text.length).toBeLessThan(RESULT_CHARACTERS + 300);
  });

  test.each<[string, Answer]>([
    ['breaks off', (_, response) => response.writeHead(200, { 'content-length': '100' }).write('x', () => response.destroy())],
    ['is packed in no way that is known', says('x', { 'content-type': 'text/plain', 'content-encoding': 'zip' })],
    ['is packed wrongly', says('x', { 'content-type': 'text/plain', 'content-encoding': 'gzip' })],
    ['never comes', () => undefined],
    ['has a redirect to nowhere', says('', { location: 'http://127.0.0.1:1/' }, 302)],
  ])('is reported where it %s', async (_, answer) => {
    const { port } = await serve(answer);
    const fetch = fetching({ allowPrivate: ['127.0.0.1'], timeoutMs: 300 });
    expect(await codeOf(fetch({ url: `http://127.0.0.1:${port}/` }))).toBe('tool.failed');
  });
});

test('when the call is aborted it fails with the reason, and no connection is left', async () => {
  const stop = new AbortController();
  const reason = new Error('stopped');
  const { port } = await serve((request) => {
    request.socket.once('close', () => closed());
    stop.abort(reason);
  });
  let closed: () => void = () => undefined;
  const gone = new Promise<void>((resolve) => {
    closed = resolve;
  });
  await expect(fetching({ allowPrivate: ['127.0.0.1'] })({ url: `http://127.0.0.1:${port}/` }, stop.signal)).rejects.toBe(reason);
  await gone;
});
