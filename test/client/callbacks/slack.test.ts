import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Bench, bench, bySlack, KEY, NOW, openGate, refusedAs } from './listener';

let at: Bench;
let hooks: Server;
let told: Promise<Record<string, unknown>>;
let origin: string;

beforeEach(async () => {
  hooks = createServer();
  told = new Promise((resolve) => {
    hooks.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        response.end('ok');
        resolve(JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>);
      });
    });
  });
  await new Promise<void>((resolve) => {
    hooks.listen(0, '127.0.0.1', resolve);
  });
  origin = `http://127.0.0.1:${(hooks.address() as AddressInfo).port}`;
});
afterEach(async () => {
  await at.close();
  hooks.close();
});

function pressed(choice: string, more: Record<string, unknown> = {}): string {
  const payload = {
    type: 'block_actions',
    user: { id: 'U1', name: 'eve' },
    actions: [{ type: 'button', action_id: `thermidor:${choice}`, value: `thermidor:${choice}:${KEY}` }],
    message: { text: 'Deploy?', blocks: [{ type: 'section' }, { type: 'actions' }] },
    response_url: `${origin}/actions/1`,
    ...more,
  };
  return new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
}

const press = (body: string): Promise<Response> => at.post('/slack', body, bySlack(body));

test('a button decides, and the message says so and has no buttons any more', async () => {
  at = await bench({ settings: { reportTo: { slack: origin } } });
  const response = await press(pressed('approve'));
  expect([response.status, await response.text(), response.headers.get('thermidor-status')]).toEqual([200, '', '200']);
  expect(at.decided).toMatchObject([{ name: 'approve', payload: { by: 'chairman', proof: { channel: 'slack' } } }]);
  expect(await told).toMatchObject({ replace_original: true, blocks: [{ type: 'section' }, { type: 'context' }] });
});

test('words in the message’s own input go with a rejection', async () => {
  at = await bench({ settings: { reportTo: { slack: origin } } });
  await press(pressed('reject', { state: { values: { b1: { comment: { type: 'plain_text_input', value: 'no <!here>' } } } } }));
  expect(at.decided).toMatchObject([{ name: 'reject', payload: { comment: 'no <!here>' } }]);
  expect(JSON.stringify(await told)).not.toContain('<!here>');
});

test('a gate that wants a comment refuses a bare rejection with a way to give one', async () => {
  at = await bench({ settings: { reportTo: { slack: origin } }, ports: { gateNow: async () => openGate({ comment: 'on_reject' }) } });
  expect((await press(pressed('reject'))).headers.get('thermidor-status')).toBe('400');
  expect(await told).toMatchObject({ response_type: 'ephemeral', replace_original: false, text: expect.stringContaining('thermidor') });
  expect(at.decided).toEqual([]);
});

test('a refusal is shown to the person who pressed', async () => {
  at = await bench({ settings: { reportTo: { slack: origin } }, ports: { decide: () => Promise.reject(refusedAs('late')) } });
  expect((await press(pressed('approve'))).headers.get('thermidor-status')).toBe('410');
  expect(await told).toMatchObject({ response_type: 'ephemeral' });
  expect(at.noted).toHaveLength(1);
});

test('an id that nobody has decides nothing', async () => {
  at = await bench({ settings: { reportTo: { slack: origin } } });
  expect((await press(pressed('approve', { user: { id: 'U9', name: 'chairman' } }))).headers.get('thermidor-status')).toBe('403');
  expect([at.decided, at.noted]).toEqual([[], []]);
});

test('results go nowhere but to Slack', async () => {
  at = await bench();
  const response = await press(pressed('approve'));
  expect([response.status, at.decided.length]).toEqual([200, 1]);
  await at.listener.close();
  expect(at.warnings).toHaveLength(1);
});

test.each([
  ['a wrong secret', (body: string) => bySlack(body, NOW, 'guess'), 401],
  ['a signature of another body', () => bySlack('payload=%7B%7D'), 401],
  ['an old signature', (body: string) => bySlack(body, NOW - 301_000), 401],
  ['no signature', () => ({ 'content-type': 'application/x-www-form-urlencoded' }), 401],
  ['another kind of body', (body: string) => ({ ...bySlack(body), 'content-type': 'application/json' }), 415],
])('%s is refused', async (_what, headers, status) => {
  at = await bench();
  const body = pressed('approve');
  expect([(await at.post('/slack', body, headers(body))).status, at.decided]).toEqual([status, []]);
});

test('the same press again is refused', async () => {
  at = await bench({ settings: { reportTo: { slack: origin } } });
  const body = pressed('approve');
  await press(body);
  expect([(await press(body)).status, at.decided.length]).toEqual([409, 1]);
});

test('a payload that does not read is refused, one that asks for nothing is not', async () => {
  at = await bench();
  expect((await press('payload=%7B')).status).toBe(400);
  expect((await press(new URLSearchParams({ payload: '{"type":"view_closed","user":{"id":"U1"}}' }).toString())).status).toBe(200);
});
