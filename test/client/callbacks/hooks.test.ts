import { createHmac, randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { HookedStart } from '../../../client/callbacks/callback-context';
import { ClientProblem } from '../../../client/client-problem';
import type { AppliedHook } from '../../../client/hooks/applied-hook';
import { ThermidorFailure } from '../../../plan/run/failure';
import type { WebhookTrigger } from '../../../plan/web-hook';
import { compiledHook, type HookKeys } from '../compiled-hook';
import { type Bench, bench, bySlack, NOW } from './listener';

/** Deliveries over real HTTP to web hooks that are compiled from files. */
const SECRET = 'it is a secret to everybody';
const STANDARD_KEY = randomBytes(24);
const SECRETS: Readonly<Record<string, string>> = {
  'secret://env/HOOK': SECRET,
  'secret://env/STANDARD': `whsec_${STANDARD_KEY.toString('base64')}`,
};

let at: Bench;
const closing: Bench[] = [];
afterEach(async () => {
  for (const one of closing.splice(0)) await one.close();
});

interface Made {
  starts: HookedStart[];
  runs: Set<string>;
}

/** Listens for these web hooks. `start` stands for the server. */
async function listen(hooks: Record<string, HookKeys>, over: { start?: () => Promise<void>; now?: () => number } = {}): Promise<Made> {
  const made: Made = { starts: [], runs: new Set() };
  const found = new Map<string, AppliedHook>(Object.entries(hooks).map(([path, keys]) => [path, compiledHook(path, keys)]));
  at = await bench({
    ports: {
      ...(over.now ? { now: over.now } : {}),
      hook: async (path) => found.get(path),
      async secret(reference) {
        const value = SECRETS[reference];
        if (value === undefined) throw new ThermidorFailure('secret.missing', `${reference} cannot be resolved`);
        return value;
      },
      async startHooked(order) {
        await over.start?.();
        if (made.runs.has(order.run)) return { again: true };
        made.runs.add(order.run);
        made.starts.push(order);
        return { again: false };
      },
    },
  });
  closing.push(at);
  return made;
}

const JSON_KIND = { 'content-type': 'application/json' };

function byGithub(body: string | Buffer, secret = SECRET): Record<string, string> {
  return { ...JSON_KIND, 'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}` };
}

function byStandard(body: string, id = 'msg_1', now = NOW, key: Buffer = STANDARD_KEY): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000));
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { ...JSON_KIND, 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,AAAA v1,${signature}` };
}

async function sent(path: string, body: string, headers: Record<string, string>): Promise<{ status: number; said: unknown }> {
  const response = await at.post(`/hooks/${path}`, body, headers);
  const text = await response.text();
  return { status: response.status, said: text === '' ? undefined : JSON.parse(text) };
}

const PULL = {
  args: { number: { type: 'integer', required: true }, title: { type: 'string' }, labels: { type: 'array', default: [] } },
  when: 'body.action == "opened" && headers.x-github-event == "pull_request"',
  with: { number: `\${body.number}`, title: `\${body.pull.title} (#\${body.number})`, labels: `\${body.pull.labels}` },
} satisfies HookKeys;
const OPENED = { action: 'opened', number: 7, pull: { title: 'Fix', labels: ['bug'] } };
const EVENT = { 'x-github-event': 'pull_request' };

describe('a delivery', () => {
  it('starts a run with args of their types, once', async () => {
    const { starts } = await listen({ pulls: PULL });
    const body = JSON.stringify(OPENED);
    const first = await sent('pulls', body, { ...byGithub(body), ...EVENT });
    expect(first).toMatchObject({ status: 200, said: { outcome: 'started', run: starts[0]?.run } });
    expect(starts).toMatchObject([{ args: { number: 7, title: 'Fix (#7)', labels: ['bug'] }, hook: { pipeline: 'p' } }]);
    expect(await sent('pulls', body, { ...byGithub(body), ...EVENT, 'x-github-delivery': 'forged' })).toEqual({
      status: 200,
      said: { outcome: 'again', run: starts[0]?.run },
    });
    expect(starts).toHaveLength(1);
  });

  it('that the filter leaves out starts nothing', async () => {
    const { starts } = await listen({ pulls: PULL });
    const body = JSON.stringify({ ...OPENED, action: 'closed' });
    expect(await sent('pulls', body, { ...byGithub(body), ...EVENT })).toEqual({ status: 200, said: { outcome: 'filtered' } });
    expect(starts).toEqual([]);
  });

  it('without a value leaves the default of its arg; a required one, or another type, is refused', async () => {
    const { starts } = await listen({ pulls: { ...PULL, when: 'true' } });
    const bare = JSON.stringify({ number: 1 });
    expect(await sent('pulls', bare, byGithub(bare))).toMatchObject({ status: 200 });
    expect(starts).toMatchObject([{ args: { number: 1, title: ' (#1)' } }]);
    expect(Object.keys(starts[0]?.args ?? {})).not.toContain('labels');
    for (const wrong of [{}, { number: '7' }, { number: 7, pull: { labels: 'bug' } }]) {
      const body = JSON.stringify(wrong);
      expect(await sent('pulls', body, byGithub(body))).toMatchObject({ status: 422 });
    }
  });

  it('keeps all digits of a number that no double holds', async () => {
    const { starts } = await listen({ ids: { args: { id: {} }, with: { id: `\${body.id}` } } });
    const body = '{"id": 1234567890123456789}';
    await sent('ids', body, byGithub(body));
    expect(starts).toMatchObject([{ args: { id: '1234567890123456789' } }]);
  });

  it('names no secret', async () => {
    const { starts } = await listen({
      texts: { args: { text: {}, own: { secret: true } }, with: { text: `\${body}`, own: 'secret://env/OWN' } },
    });
    const body = JSON.stringify({ a: ['see secret://env/HOOK'] });
    expect(await sent('texts', body, byGithub(body))).toMatchObject({ status: 422 });
    const plain = JSON.stringify({ a: [] });
    expect(await sent('texts', plain, byGithub(plain))).toMatchObject({ status: 200 });
    expect(starts).toMatchObject([{ args: { own: 'secret://env/OWN' } }]);
  });

  it('shows expressions nothing that proves it', async () => {
    const { starts } = await listen({ all: { signature: 'gitlab', args: { headers: {} }, with: { headers: `\${headers}` } } });
    const headers = { ...JSON_KIND, 'x-gitlab-token': SECRET, authorization: 'Bearer x', cookie: 'a=b', 'x-gitlab-event': 'Push Hook' };
    expect(await sent('all', '{}', headers)).toMatchObject({ status: 200 });
    expect(starts[0]?.args['headers']).toMatchObject({ 'x-gitlab-event': 'Push Hook' });
    expect(JSON.stringify(starts)).not.toContain(SECRET);
    expect(Object.keys(starts[0]?.args['headers'] ?? {})).toEqual(
      expect.not.arrayContaining(['x-gitlab-token', 'authorization', 'cookie']),
    );
  });

  it('waits for nobody if the server is away: it is to be sent again', async () => {
    const away = new ClientProblem('server.unreachable', 'no server');
    let isAway = true;
    const { starts } = await listen({ a: {} }, { start: async () => (isAway ? Promise.reject(away) : undefined) });
    const response = await at.post('/hooks/a', '{}', byGithub('{}'));
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '10']);
    isAway = false;
    expect(await sent('a', '{}', byGithub('{}'))).toMatchObject({ status: 200, said: { outcome: 'started' } });
    expect(starts).toHaveLength(1);
  });

  it('with a key of the file’s own is one with the others of that key', async () => {
    const { starts } = await listen({ a: { key: `\${body.id}/\${headers.x-part}` } });
    const outcomes: unknown[] = [];
    for (const [id, part] of [
      ['1', 'x'],
      ['1', 'x'],
      ['1', 'y'],
    ] as const) {
      const body = JSON.stringify({ id, at: outcomes.length });
      outcomes.push((await sent('a', body, { ...byGithub(body), 'x-part': part })).said);
    }
    expect(outcomes).toMatchObject([{ outcome: 'started' }, { outcome: 'again' }, { outcome: 'started' }]);
    expect(starts).toHaveLength(2);
  });

  it('with an empty key is refused', async () => {
    await listen({ a: { key: `\${body.id}` } });
    expect(await sent('a', '{}', byGithub('{}'))).toMatchObject({ status: 422 });
  });

  it('to a paused web hook is to be sent again', async () => {
    await listen({ a: { paused: true } });
    expect(await sent('a', '{}', byGithub('{}'))).toMatchObject({ status: 503 });
    expect(await sent('a', '{}', byGithub('{ }'))).toMatchObject({ status: 401 });
  });
});

describe('signatures', () => {
  it('standard: the id is signed, is the key, and a delivery of another time is refused', async () => {
    let now = NOW;
    const { starts } = await listen({ a: { signature: 'standard', secret: 'secret://env/STANDARD' } }, { now: () => now });
    expect(await sent('a', '{"a":1}', byStandard('{"a":1}'))).toMatchObject({ said: { outcome: 'started' } });
    expect(await sent('a', '{"a":2}', byStandard('{"a":2}'))).toMatchObject({ said: { outcome: 'again' } });
    expect(await sent('a', '{"a":1}', { ...byStandard('{"a":1}'), 'webhook-id': 'msg_2' })).toMatchObject({ status: 401 });
    now = NOW + 301_000;
    expect(await sent('a', '{"a":1}', byStandard('{"a":1}'))).toMatchObject({ status: 401 });
    now = NOW - 301_000;
    expect(await sent('a', '{"a":1}', byStandard('{"a":1}', 'msg_3'))).toMatchObject({ status: 401 });
    expect(starts).toHaveLength(1);
  });

  it('gitlab: the token, and the sender’s own id', async () => {
    const { starts } = await listen({ a: { signature: 'gitlab' } });
    const headers = (id: string, token = SECRET) => ({ ...JSON_KIND, 'x-gitlab-token': token, 'idempotency-key': id });
    expect(await sent('a', '{}', headers('1'))).toMatchObject({ said: { outcome: 'started' } });
    expect(await sent('a', '{"retried":true}', headers('1'))).toMatchObject({ said: { outcome: 'again' } });
    expect(await sent('a', '{}', headers('2'))).toMatchObject({ said: { outcome: 'started' } });
    expect(await sent('a', '{}', headers('3', `${SECRET} `.slice(1)))).toMatchObject({ status: 401 });
    expect(starts).toHaveLength(2);
  });

  it('a chat’s: events and commands, its own check of the address, and an empty answer', async () => {
    const { starts } = await listen({
      chat: { signature: 'slack', args: { text: {} }, with: { text: `\${default(body.event.text, body.text)}` } },
    });
    const signed = (body: string, kind: string, now = NOW) => ({ ...bySlack(body, now, SECRET), 'content-type': kind });
    const check = JSON.stringify({ type: 'url_verification', challenge: 'c', token: 't' });
    expect(await sent('chat', check, signed(check, 'application/json'))).toEqual({ status: 200, said: { challenge: 'c' } });
    const event = JSON.stringify({ type: 'event_callback', event_id: 'E1', event: { text: 'hello' } });
    expect(await sent('chat', event, signed(event, 'application/json'))).toEqual({ status: 200, said: undefined });
    expect(await sent('chat', event, signed(event, 'application/json', NOW + 60_000))).toEqual({ status: 200, said: undefined });
    const command = 'command=%2Fdeploy&text=main&trigger_id=1';
    expect(await sent('chat', command, signed(command, 'application/x-www-form-urlencoded'))).toEqual({ status: 200, said: undefined });
    expect(starts.map(({ args }) => args['text'])).toEqual(['hello', 'main']);
    expect(await sent('chat', check, { ...signed(check, 'application/json'), 'x-slack-signature': 'v0=00' })).toMatchObject({
      status: 401,
    });
  });
});

describe('bad deliveries', () => {
  const forged = { status: 401, said: { error: { status: 401, message: 'the signature does not fit' } } };

  it('an unknown path, a forged one, and one without a secret here answer the same', async () => {
    await listen({ a: {}, unset: { secret: 'secret://env/UNSET' }, raw: { signature: 'standard' } });
    for (const path of ['b', 'a', 'unset', 'raw', 'a%00', '__proto__', 'constructor'])
      expect([path, await sent(path, '{}', byGithub('{}', 'another secret'))]).toEqual([path, forged]);
    expect(await sent('a', '{}', JSON_KIND)).toEqual(forged);
    expect(await sent('unset', '{}', byGithub('{}'))).toEqual(forged);
    expect(at.warnings).toEqual([expect.stringContaining('secret://env/UNSET'), expect.stringContaining('base64')]);
  });

  it('cut, doubled in a header, or changed by a byte', async () => {
    const { starts } = await listen({ a: {} });
    const body = '{"a": 1}';
    const { 'x-hub-signature-256': signature = '' } = byGithub(body);
    for (const wrong of [signature.slice(0, -1), `${signature}, ${signature}`, signature.toUpperCase(), '', 'sha256='])
      expect(await sent('a', body, { ...JSON_KIND, 'x-hub-signature-256': wrong })).toEqual(forged);
    expect(await sent('a', `${body} `, byGithub(body))).toEqual(forged);
    expect(starts).toEqual([]);
  });

  it('compressed, of another kind, or no JSON', async () => {
    const { starts } = await listen({ a: { args: { all: {} }, with: { all: `\${body}` } } });
    const packed = gzipSync('{}');
    const status = async (body: string | Buffer, more: Record<string, string> = {}) =>
      (
        await fetch(`${at.listener.url}/hooks/a`, {
          method: 'POST',
          body: typeof body === 'string' ? body : new Uint8Array(body),
          headers: { ...byGithub(body), ...more },
        })
      ).status;
    expect(await status(packed, { 'content-encoding': 'gzip' })).toBe(415);
    expect(await status(packed)).toBe(400);
    expect(await status('{}', { 'content-type': 'text/plain' })).toBe(415);
    expect(await status(Buffer.from('{"a":1}', 'utf16le'))).toBe(400);
    expect(await status('')).toBe(400);
    expect(await status('['.repeat(500_000))).toBe(400);
    expect(await status(`${'['.repeat(300)}${']'.repeat(300)}`)).toBe(400);
    expect(await status('a=1&a=2', { 'content-type': 'application/x-www-form-urlencoded' })).toBe(400);
    expect(starts).toEqual([]);
    expect(await status('{"__proto__": {"polluted": 1}, "a": 1, "a": 2}')).toBe(200);
    expect(starts[0]?.args['all']).toEqual(JSON.parse('{"__proto__": {"polluted": 1}, "a": 2}'));
    expect({}).not.toHaveProperty('polluted');
  });

  it('too large: refused at once if it says so, else while it is read', async () => {
    const { starts } = await listen({ a: {} });
    const answer = async (head: string, piece: string | undefined): Promise<string> => {
      const socket = connect(at.listener.port, '127.0.0.1');
      socket.on('error', () => undefined);
      const write = (): void => {
        if (piece !== undefined) while (socket.writable && socket.write(piece));
      };
      socket.write(`POST /hooks/a HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${head}\r\n\r\n`);
      socket.on('drain', write);
      write();
      return await new Promise((resolve) => {
        socket.once('data', (data) => {
          socket.destroy();
          resolve(data.toString().split('\r\n')[0] ?? '');
        });
      });
    };
    expect(await answer(`Content-Length: ${2 ** 21}`, undefined)).toContain('413');
    const piece = 'x'.repeat(64 * 1024);
    expect(await answer('Transfer-Encoding: chunked', `${piece.length.toString(16)}\r\n${piece}\r\n`)).toContain('413');
    expect(starts).toEqual([]);
  });

  it('more than the rate: each web hook has its own', async () => {
    const { starts } = await listen({ a: { rate: 2 }, b: {} });
    const statuses: number[] = [];
    for (const n of [1, 2, 3]) statuses.push((await sent('a', `{"n":${n}}`, byGithub(`{"n":${n}}`))).status);
    expect(statuses).toEqual([200, 200, 429]);
    const limited = await at.post('/hooks/a', '{}', byGithub('{}'));
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await sent('b', '{}', byGithub('{}'))).toMatchObject({ status: 200 });
    expect(starts).toHaveLength(3);
  });

  it('many at once ask the server for few starts at a time', async () => {
    let [now, most] = [0, 0];
    const begun: (() => void)[] = [];
    const { starts } = await listen(
      { a: { rate: 6_000 } },
      {
        start: async () => {
          most = Math.max(most, ++now);
          await new Promise<void>((resolve) => {
            begun.push(resolve);
            setImmediate(() => begun.shift()?.());
          });
          now -= 1;
        },
      },
    );
    const bodies = Array.from({ length: 60 }, (_, n) => `{"n":${n}}`);
    const all = await Promise.all(bodies.map((body) => sent('a', body, byGithub(body))));
    expect(all.every(({ status }) => status === 200)).toBe(true);
    expect(starts).toHaveLength(60);
    expect(most).toBeLessThanOrEqual(16);
  });

  it('an expression that cannot be evaluated refuses the delivery, and is recorded', async () => {
    const when = { kind: 'nonsense' } as unknown as WebhookTrigger['when'];
    const { starts } = await listen({ a: { frozen: { ...(when ? { when } : {}) } } });
    expect(await sent('a', '{}', byGithub('{}'))).toMatchObject({ status: 422 });
    expect(starts).toEqual([]);
    await at.listener.close();
    expect(at.refused()).toMatchObject([{ status: 422, way: 'hooks', from: 'hooks:a' }]);
  });
});
