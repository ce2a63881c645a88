import { seal } from '../../../client/callbacks/signatures';
import { ClientProblem } from '../../../client/client-problem';
import type { SignalReceipt } from '../../../plan/run/signal';
import { jsonText } from '../../../plan/text/json-text';
import { type Bench, bench, byReceiver, GATE, KEY, NOW, refusedAs, SERVICE_KEY, SHOWN } from './listener';

let at: Bench;
afterEach(() => at.close());

const said = (more: Record<string, unknown> = {}): string => JSON.stringify({ key: KEY, choice: 'approve', by: 'cfo', ...more });
const send = (body: string): Promise<Response> => at.post('/webhook', body, byReceiver(body));

test('a signed decision counts as the person’s it names', async () => {
  at = await bench();
  const response = await send(said({ comment: 'fine', value: { size: 3 } }));
  expect([response.status, await response.json()]).toEqual([200, { outcome: 'applied', run: 'run-1', step: 'approve', more: false }]);
  expect(at.decided).toMatchObject([
    { name: 'approve', payload: { by: 'cfo', comment: 'fine', value: { size: 3 }, shown: SHOWN, proof: { channel: 'webhook' } } },
  ]);
});

test('numbers keep how they are written', async () => {
  at = await bench({ ports: { gateFor: async () => ({ ...GATE, kind: 'input', choices: ['respond'] }) } });
  expect((await send(said({ choice: 'respond' }).replace(/}$/, ',"response":1.10,"value":2.50}'))).status).toBe(200);
  expect(jsonText(at.decided)).toMatch(/"value":2\.50.*"response":1\.10/);
});

test('an input gate takes its response as it is', async () => {
  at = await bench({ ports: { gateFor: async () => ({ ...GATE, kind: 'input', choices: ['respond'] }) } });
  expect((await send(said({ choice: 'respond', response: [1, { a: 2 }] }))).status).toBe(200);
  expect(at.decided).toMatchObject([{ name: 'respond', payload: { response: [1, { a: 2 }] } }]);
});

test.each([
  ['what is no JSON', 'nonsense', 400],
  ['JSON that is no object', '[]', 400],
  ['no choice', said({ choice: null }), 400],
  ['a choice that the gate does not have', said({ choice: 'sell' }), 400],
  ['text that is none', said({ comment: 3 }), 400],
  ['nobody’s name', said({ by: '' }), 400],
  ['somebody unknown', said({ by: 'eve' }), 403],
  ['a group', said({ by: 'board' }), 403],
  ['a name of JavaScript’s own', said({ by: 'constructor' }), 403],
  ['a key of no gate', said({ key: 'x'.repeat(32) }), 404],
  ['another digest', said({ shown: 'b'.repeat(64) }), 409],
])('%s is refused and changes nothing', async (_what, body, status) => {
  at = await bench();
  expect([(await send(body)).status, at.decided]).toEqual([status, []]);
});

test('a budget is not answered by a choice alone', async () => {
  at = await bench({ ports: { gateFor: async () => ({ ...GATE, kind: 'budget', choices: ['extend_budget', 'abort'] }) } });
  expect([(await send(said({ choice: 'abort' }))).status, at.decided]).toEqual([400, []]);
});

test.each([
  ['forged', (body: string) => byReceiver(body, NOW, 'guess')],
  ['unsigned', () => ({ 'content-type': 'application/json' })],
  ['too old', (body: string) => byReceiver(body, NOW - 301_000)],
  ['from the future', (body: string) => byReceiver(body, NOW + 301_000)],
])('a decision that is %s is refused', async (_what, headers) => {
  at = await bench();
  const body = said();
  expect([(await at.post('/webhook', body, headers(body))).status, at.decided]).toEqual([401, []]);
});

test('an answer to what was shown as something else is journalled', async () => {
  at = await bench();
  expect((await send(said({ shown: SHOWN.slice(0, 8) }))).status).toBe(200);
  expect((await send(said({ shown: 'aaaa' }))).status).toBe(409);
  expect(at.noted).toMatchObject([{ name: 'approve', payload: { by: 'cfo', shown: 'aaaa' } }]);
});

test('what is journalled of an answer to something else is sealed for what its key leads to, so it decides nowhere else', async () => {
  at = await bench();
  const shown = 'b'.repeat(64);
  await send(said({ shown }));
  const [noted] = at.noted;
  const sealed = { run: GATE.run, name: 'approve', step: GATE.step, by: 'cfo', shown: SHOWN };
  expect(noted?.payload).toEqual({
    step: GATE.step,
    by: 'cfo',
    shown,
    proof: seal(SERVICE_KEY, sealed, 'webhook', new Date(NOW).toISOString()),
  });
});

test('a digest in capitals is the same digest', async () => {
  at = await bench();
  expect((await send(said({ shown: SHOWN.toUpperCase() }))).status).toBe(200);
});

test('if a run does not answer, neither why nor that nothing was changed is said', async () => {
  at = await bench({ ports: { decide: () => Promise.reject(new ClientProblem('server.unreachable', 'no server at 10.0.0.7')) } });
  const response = await send(said());
  expect(response.status).toBe(503);
  expect(await response.text()).not.toMatch(/10\.0\.0\.7|nothing was changed/);
});

test('a channel without a secret takes nothing', async () => {
  at = await bench({ ports: { webhookSecretOf: async () => undefined } });
  expect((await send(said())).status).toBe(401);
});

test('a channel whose run does not answer is tried again later', async () => {
  at = await bench({ ports: { webhookSecretOf: () => Promise.reject(new ClientProblem('worker.missing', 'nobody')) } });
  const response = await send(said());
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '10']);
});

test('the same decision again is refused', async () => {
  at = await bench();
  const body = said();
  await send(body);
  expect([(await send(body)).status, at.decided.length]).toEqual([409, 1]);
});

test('late and double decisions have a status of their own, and are journalled', async () => {
  at = await bench({ ports: { decide: () => Promise.reject(refusedAs('late')) } });
  expect((await send(said())).status).toBe(410);
  expect(at.noted).toHaveLength(1);
  await at.listener.close();
  expect(at.refused()).toMatchObject([
    { status: 410, way: 'webhook', from: 'webhook:#approvals', run: 'run-1', step: 'approve', by: 'cfo' },
  ]);
  expect(JSON.stringify(at.refused())).not.toContain(KEY);
});

test('what a run cannot check now is sent again as it is', async () => {
  let isAway = true;
  const decide = async (): Promise<SignalReceipt> => {
    if (isAway) throw refusedAs('unavailable');
    return { outcome: 'applied', step: GATE.step };
  };
  at = await bench({ ports: { decide } });
  const body = said();
  const response = await send(body);
  expect([response.status, response.headers.get('retry-after'), at.noted]).toEqual([503, '10', []]);
  isAway = false;
  expect((await send(body)).status).toBe(200);
});

test('a refusal that cannot be journalled is a refusal all the same', async () => {
  at = await bench({ ports: { decide: () => Promise.reject(refusedAs('duplicate')), note: () => Promise.reject(new Error('away')) } });
  expect([(await send(said())).status, at.warnings.length]).toEqual([409, 1]);
});

test('a bug is no one’s business outside', async () => {
  at = await bench({ ports: { decide: () => Promise.reject(new TypeError('secret detail')) } });
  const response = await send(said());
  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain('secret detail');
});
