import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { CALLBACK_WAYS } from '../../../channels/callbacks';
import { listenForCallbacks } from '../../../client/callbacks/listen';
import { RateLimit, senderAt } from '../../../client/callbacks/rate-limit';
import { ReplayGuard } from '../../../client/callbacks/replay-guard';
import { RefusedAnswerFiles } from '../../../records/directory/refused-answer-files';
import { type Bench, bench, byDiscord, byReceiver, interaction, KEY, NOW } from './listener';

let at: Bench | undefined;
afterEach(async () => {
  await at?.close();
  at = undefined;
});

const JSON_BODY = { 'content-type': 'application/json' };

test('a body larger than 64 KiB is refused, whether its size is said before or not', async () => {
  at = await bench();
  const large = 'x'.repeat(65 * 1024);
  expect((await at.post('/webhook', large, JSON_BODY)).status).toBe(413);
  const stream = new ReadableStream({
    start(controller) {
      for (let part = 0; part < 5; part++) controller.enqueue(Buffer.alloc(16 * 1024, 120));
      controller.close();
    },
  });
  const chunked = { method: 'POST', headers: JSON_BODY, body: stream, duplex: 'half' as const };
  expect((await fetch(`${at.listener.url}/webhook`, chunked)).status).toBe(413);
});

test('a body that comes too slowly is not waited for', async () => {
  at = await bench({ settings: { requestLimitMs: 100 } });
  const { port } = at.listener;
  const answer = await new Promise<string>((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () =>
      socket.write('POST /webhook HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{'),
    );
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
  expect(answer).toContain('408');
  expect(at.decided).toEqual([]);
});

test.each([
  ['GET', '/discord', 405],
  ['PUT', '/slack', 405],
  ['DELETE', `/g/${KEY}`, 405],
  ['POST', '/healthz', 405],
  ['GET', '/', 404],
  ['GET', '/g', 404],
  ['GET', '/team/crew', 405],
  ['POST', '/team', 404],
  ['POST', '/team/crew/1', 404],
  ['GET', '/g/a/b', 404],
  ['GET', '/healthz', 200],
])('%s %s is answered with %i', async (method, path, status) => {
  at = await bench();
  expect((await fetch(`${at.listener.url}${path}`, { method })).status).toBe(status);
});

test.each(['/discord', '/webhook', '/slack', '/team/crew', `/g/${KEY}`])('a body of another kind is refused at %s', async (path) => {
  at = await bench();
  expect((await at.post(path, '{}', { 'content-type': 'text/plain' })).status).toBe(415);
});

test('an unproven sender is limited by address, and learns when to come again', async () => {
  at = await bench({ settings: { rate: 2 } });
  const statuses: number[] = [];
  for (let i = 0; i < 5; i++) statuses.push((await at.post('/discord', '{}', JSON_BODY)).status);
  expect(statuses).toEqual([401, 401, 429, 429, 429]);
  const last = await at.post('/discord', '{}', JSON_BODY);
  expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
  await at.listener.close();
  // One line reports all requests over the rate.
  expect(at.refused().map(({ status }) => status)).toEqual([401, 401, 429]);
});

test('forged requests of an address do not use up the rate of a proven sender', async () => {
  at = await bench({ settings: { rate: 1 } });
  for (let i = 0; i < 3; i++) await at.post('/discord', '{}', JSON_BODY);
  const body = interaction('approve');
  expect((await at.post('/discord', body, byDiscord(at, body))).status).toBe(200);
  const next = interaction('approve');
  expect((await at.post('/discord', next, byDiscord(at, next))).status).toBe(429);
  expect(at.decided).toHaveLength(1);
});

test('many at once: none is lost and none counts twice', async () => {
  at = await bench({ settings: { rate: 1000 } });
  const { post } = at;
  const bodies = Array.from({ length: 50 }, (_, i) => JSON.stringify({ key: KEY, choice: 'approve', by: 'cfo', comment: String(i) }));
  const answers = await Promise.all([...bodies, ...bodies].map((body) => post('/webhook', body, byReceiver(body))));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(50);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(50);
  expect(new Set(at.decided.map(({ payload }) => payload.comment)).size).toBe(50);
});

test('a port that is taken is a problem with a name', async () => {
  at = await bench();
  const { listener, ports, folder } = at;
  const again = listenForCallbacks(
    { host: '127.0.0.1', port: listener.port, rate: 1 },
    ports,
    new RefusedAnswerFiles(folder, () => undefined),
    CALLBACK_WAYS,
  );
  await expect(again).rejects.toMatchObject({ code: 'callbacks.unavailable' });
});

describe('the rate of a sender', () => {
  test('comes back with time', () => {
    let now = 0;
    const limit = new RateLimit(60, () => now);
    for (let i = 0; i < 60; i++) limit.take('a');
    expect(() => limit.take('a')).toThrow(expect.objectContaining({ status: 429, retryAfterS: 1 }));
    now = 1000;
    limit.take('a');
    expect(() => limit.take('a')).toThrow(expect.objectContaining({ status: 429 }));
  });

  test('is kept for so many senders and no more', () => {
    const limit = new RateLimit(1, () => 0, 3);
    for (const sender of ['a', 'b', 'c', 'd', 'e']) limit.take(sender);
    expect(limit.size).toBe(3);
    expect(() => limit.take('e')).toThrow();
  });

  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8::7', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    [undefined, 'unknown'],
  ])('at %s is that of %s', (address, sender) => {
    expect(senderAt(address)).toBe(sender);
  });
});

describe('what was seen', () => {
  test('is forgotten once it would be too old anyway', () => {
    let now = NOW;
    const guard = new ReplayGuard(() => now, 2);
    guard.take('a');
    expect(() => guard.take('a')).toThrow(expect.objectContaining({ status: 409 }));
    guard.take('b');
    expect(() => guard.take('c')).toThrow(expect.objectContaining({ status: 503 }));
    now += 600_001;
    guard.take('c');
  });

  test.each(['', 'now', '-1', '1e9', '99999999999999'])('"%s" is no time', (text) => {
    expect(() => new ReplayGuard(() => NOW).checkTime(text)).toThrow(expect.objectContaining({ status: 401 }));
  });
});

test('what was refused is kept in two files of a bounded size', async () => {
  at = await bench();
  const path = join(at.folder, 'callbacks', 'refused.jsonl');
  const log = new RefusedAnswerFiles(at.folder, () => undefined, 400);
  for (let i = 0; i < 20; i++) log.add({ at: 'now', status: 401, reason: `${i} ${'x'.repeat(60)}`, way: 'discord', from: 'a' });
  await log.written();
  const [now, before] = [readFileSync(path, 'utf8'), readFileSync(`${path}.1`, 'utf8')];
  expect(Math.max(now.length, before.length)).toBeLessThanOrEqual(400);
  expect(now).toContain('"19 ');
});

test('refusals go on if they cannot be written, and that is said once', async () => {
  at = await bench();
  writeFileSync(join(at.folder, 'file'), '');
  const warnings: string[] = [];
  const log = new RefusedAnswerFiles(join(at.folder, 'file'), (message) => void warnings.push(message));
  for (let i = 0; i < 3; i++) log.add({ at: 'now', status: 401, reason: 'no', way: 'discord', from: 'a' });
  await log.written();
  expect(warnings).toHaveLength(1);
});
