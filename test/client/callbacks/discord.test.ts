import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DirectorySeals } from '../../../activities/adapters/seals';
import { ClientProblem } from '../../../client/client-problem';
import type { Proof, Sealed } from '../../../plan/people/proof';
import { type Bench, bench, byDiscord, interaction, KEY, NOW, openGate, PEOPLE, refusedAs, SERVICE_KEY, SHOWN } from './listener';

let at: Bench;
afterEach(() => at.close());

const press = (body: string): Promise<Response> => at.post('/discord', body, byDiscord(at, body));

test('a ping is answered, so that Discord takes the address', async () => {
  at = await bench();
  const response = await press('{"type":1}');
  expect([response.status, await response.json()]).toEqual([200, { type: 1 }]);
});

test('a button decides as the person that has the user’s id, sealed so that a worker believes it', async () => {
  at = await bench();
  const response = await press(interaction('approve'));
  expect(await response.json()).toMatchObject({ type: 7, data: { components: [], allowed_mentions: { parse: [] } } });
  const [{ run, name, payload } = { run: '', name: '', payload: {} }] = at.decided;
  expect({ run, name, ...payload }).toMatchObject({ run: 'run-1', name: 'approve', step: 'approve', by: 'chairman', shown: SHOWN });
  const { proof, ...said } = payload as { proof: Proof } & Sealed;
  expect(proof.channel).toBe('discord');
  const seals = new DirectorySeals(PEOPLE.people, { resolve: async (text) => text }, async () => SERVICE_KEY);
  expect(await seals.check({ ...said, run, name }, proof)).toBeUndefined();
  expect(await seals.check({ ...said, run, name, by: 'cfo' }, proof)).toBeDefined();
});

test('a choice of the gate’s own is a response, colons and all', async () => {
  at = await bench();
  await press(interaction('later: maybe'));
  expect(at.decided).toMatchObject([{ name: 'respond', payload: { response: 'later: maybe' } }]);
});

test('a rejection asks for words first, and takes them', async () => {
  at = await bench();
  const asked = await press(interaction('reject'));
  const form = (await asked.json()) as { type: number; data: { custom_id: string; components: { component: { required: boolean } }[] } };
  expect(form).toMatchObject({ type: 9, data: { custom_id: `thermidor:reject:${KEY}` } });
  expect(form.data.components[0]?.component.required).toBe(false);
  expect(at.decided).toEqual([]);
  const components = [{ type: 18, component: { type: 4, custom_id: 'comment', value: 'too risky' } }];
  const done = await press(interaction('reject', { type: 5, data: { custom_id: `thermidor:reject:${KEY}`, components } }));
  expect(at.decided).toMatchObject([{ name: 'reject', payload: { comment: 'too risky', by: 'chairman' } }]);
  expect(await done.json()).toMatchObject({ type: 7 });
});

test('a form in rows, as older clients send it, is read too', async () => {
  at = await bench();
  const components = [{ type: 1, components: [{ type: 4, custom_id: 'comment', value: 'no' }] }];
  await press(interaction('reject', { type: 5, data: { custom_id: `thermidor:reject:${KEY}`, components } }));
  expect(at.decided).toMatchObject([{ payload: { comment: 'no' } }]);
});

test('a gate that always wants a comment asks for one before an approval', async () => {
  at = await bench({ ports: { gateNow: async () => openGate({ comment: 'always' }) } });
  const form = (await (await press(interaction('approve'))).json()) as { type: number; data: { components: { component: unknown }[] } };
  expect(form).toMatchObject({ type: 9, data: { components: [{ component: { required: true } }] } });
});

test('one approval of several leaves the buttons to the others', async () => {
  at = await bench({ ports: { gateNow: async () => openGate({ quorum: 2 }) } });
  expect(await (await press(interaction('approve'))).json()).toMatchObject({ type: 4, data: { flags: 64 } });
});

describe('what is not Discord’s', () => {
  test.each([
    ['a body that was changed', (body: string) => body.replace('"81"', '"82"'), {}],
    ['no signature', (body: string) => body, { 'x-signature-ed25519': '' }],
    ['a signature of another shape', (body: string) => body, { 'x-signature-ed25519': 'zz' }],
    ['another time than was signed', (body: string) => body, { 'x-signature-timestamp': String(NOW / 1000 + 1) }],
  ])('is refused: %s', async (_what, change, headers) => {
    at = await bench();
    const body = interaction('approve');
    const response = await at.post('/discord', change(body), { ...byDiscord(at, body), ...headers });
    expect([response.status, at.decided]).toEqual([401, []]);
    await at.listener.close();
    expect(at.refused()).toMatchObject([{ status: 401, way: 'discord', from: '127.0.0.1' }]);
    expect(JSON.stringify(at.refused())).not.toContain('interaction-token');
  });

  test('is refused if it was signed more than five minutes ago', async () => {
    at = await bench();
    const body = interaction('approve');
    const response = await at.post('/discord', body, byDiscord(at, body, NOW - 301_000));
    expect([response.status, at.decided]).toEqual([401, []]);
  });
});

test('the same interaction again is refused, and counts once', async () => {
  at = await bench();
  const body = interaction('approve');
  await press(body);
  expect((await press(body)).status).toBe(409);
  expect(at.decided).toHaveLength(1);
});

test('an id that nobody has decides nothing: the name that Discord shows is not taken', async () => {
  at = await bench();
  const response = await press(interaction('approve', { member: { user: { id: '99', username: 'chairman' } } }));
  expect([response.headers.get('thermidor-status'), await response.json()]).toMatchObject(['403', { type: 4, data: { flags: 64 } }]);
  expect([at.decided, at.noted]).toEqual([[], []]);
});

test.each([
  ['late', refusedAs('late'), '410'],
  ['a duplicate', refusedAs('duplicate'), '409'],
  ['for what has changed since', refusedAs('refused', [{ step: 'approve', shownSha256: 'b'.repeat(64) }]), '409'],
  ['not this person’s to give', refusedAs('refused', [{ step: 'approve', shownSha256: SHOWN }]), '403'],
  ['for a gate that is gone', refusedAs('misdirected'), '410'],
])('an answer that is %s is explained in words, and the run’s journal has it', async (_what, problem, status) => {
  at = await bench({ ports: { decide: () => Promise.reject(problem) } });
  const response = await press(interaction('approve'));
  expect([response.status, response.headers.get('thermidor-status')]).toEqual([200, status]);
  expect(await response.json()).toMatchObject({ type: 4, data: { flags: 64 } });
  expect(at.noted).toMatchObject([{ run: 'run-1', name: 'approve', payload: { by: 'chairman', shown: SHOWN } }]);
});

test('an answer to a run that is over is late', async () => {
  at = await bench({ ports: { decide: () => Promise.reject(new ClientProblem('run.ended', 'over')) } });
  expect((await press(interaction('approve'))).headers.get('thermidor-status')).toBe('410');
  expect(at.noted).toEqual([]);
});

test('what came to nothing for want of a worker may be sent again as it was', async () => {
  let away = true;
  at = await bench({
    ports: { decide: async () => (away ? Promise.reject(new ClientProblem('worker.missing', 'nobody')) : { outcome: 'applied' }) },
  });
  const body = interaction('approve');
  expect((await press(body)).headers.get('thermidor-status')).toBe('503');
  away = false;
  expect((await press(body)).headers.get('thermidor-status')).toBe('200');
});

test('what takes long is deferred, and reported through the interaction’s own webhook', async () => {
  const told = new Promise<{ url: string; body: string; method: string }>((resolve) => {
    server.once('request', (request: IncomingMessage, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        response.end('{}');
        resolve({ url: request.url ?? '', body: Buffer.concat(chunks).toString(), method: request.method ?? '' });
      });
    });
  });
  let finish: () => void = () => undefined;
  const slow = new Promise<void>((resolve) => {
    finish = resolve;
  });
  at = await bench({
    settings: { reportTo: { discord: await address() }, chatWaitMs: 1 },
    ports: { decide: async () => slow.then(() => ({ outcome: 'applied' as const, step: 'approve' })) },
  });
  expect(await (await press(interaction('approve'))).json()).toMatchObject({ type: 5 });
  finish();
  const { url, body, method } = await told;
  expect([method, url]).toEqual(['PATCH', '/webhooks/4711/interaction-token/messages/@original']);
  expect(JSON.parse(body)).toMatchObject({ allowed_mentions: { parse: [] }, content: expect.stringContaining('chairman') });
});

const server = createServer();
const address = (): Promise<string> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
afterAll(() => void server.close());

test('the button of another application is refused with a reason', async () => {
  at = await bench();
  const response = await press(interaction('approve', { data: { custom_id: 'poll:yes' } }));
  expect([response.headers.get('thermidor-status'), at.decided]).toEqual(['400', []]);
});

test('nothing is taken from Discord without a public key, or with an invalid one', async () => {
  at = await bench({ chats: false });
  expect((await press(interaction('approve'))).status).toBe(404);
  await at.close();
  at = await bench({ settings: { chats: { discord: 'ff' } } });
  expect((await press(interaction('approve'))).status).toBe(401);
});
