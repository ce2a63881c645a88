import { getEventListeners } from 'node:events';
import { KEY } from '../../support/messages-server/dialect';
import { call, say } from '../../support/messages-server/served';
import { type Fault, fail } from '../../support/model-server/served';
import { asked } from '../model/request';
import { run } from '../model/run';
import { closeServers, failureOf, local } from './local';

/** The adapter's failure for each trouble of the service. Nothing that is thrown names the key. */
afterEach(closeServers);

test.each([
  [400, 'model.bad-request'],
  [401, 'model.unauthorized'],
  [402, 'model.unauthorized'],
  [403, 'model.unauthorized'],
  [404, 'model.bad-request'],
  [408, 'model.api-error'],
  [409, 'model.api-error'],
  [422, 'model.bad-request'],
  [429, 'model.overloaded'],
  [500, 'model.api-error'],
  [502, 'model.api-error'],
  [503, 'model.api-error'],
  [504, 'model.api-error'],
  [529, 'model.overloaded'],
])('status %s is %s, asked once, and tells who said what', async (status, code) => {
  const { server, adapter } = await local([fail(status, `because of ${status} and ${KEY}`)]);
  const { message, code: found } = await failureOf(run(adapter, asked()));
  expect(found).toBe(code);
  for (const said of [`because of ${status}`, new URL(server.url).host]) expect(message).toContain(said);
  expect(server.requests).toHaveLength(1);
});

test('overload says when to come again', async () => {
  const { adapter } = await local([fail(529, 'overloaded', { headers: { 'retry-after': '7' } })]);
  expect(await failureOf(run(adapter, asked()))).toMatchObject({ code: 'model.overloaded', retryAfterMs: 7000 });
});

test('overload that hides behind another status is overload', async () => {
  const { adapter } = await local([fail(503, 'later', { type: 'overloaded_error' })]);
  expect(await failureOf(run(adapter, asked()))).toMatchObject({ code: 'model.overloaded' });
});

test('an account without credit is no bad request', async () => {
  const { adapter } = await local([fail(400, 'Your credit balance is too low to access the API.')]);
  expect(await failureOf(run(adapter, asked()))).toMatchObject({ code: 'model.unauthorized' });
});

describe('a stream', () => {
  const told = (type: string, message = type): Fault => ({ kind: 'error', at: 5, error: { type, message } });
  const broken: [string, Fault, string][] = [
    ['cut at an event', { kind: 'cut', at: 5 }, 'model.api-error'],
    ['cut within an event', { kind: 'cut-bytes', atByte: 700 }, 'model.api-error'],
    ['with an event that is no JSON', { kind: 'malformed', at: 5 }, 'model.api-error'],
    ['with an error of the API', told('api_error'), 'model.api-error'],
    ['with overload', told('overloaded_error'), 'model.overloaded'],
    ['with a limit of the rate', told('rate_limit_error'), 'model.overloaded'],
    ['with an error that nobody knows', told('new_error'), 'model.api-error'],
    ['with a context that is too long', told('invalid_request_error', 'prompt is too long'), 'model.context-length'],
    ['that never ends', { kind: 'endless' }, 'output.too-large'],
    ['with a line that never ends', { kind: 'endless-line' }, 'output.too-large'],
  ];

  test.each(broken)('%s: what was paid is recorded, and then it fails', async (_what, fault, code) => {
    const { server, adapter } = await local([say('a text of more than one piece, to be cut in two', { fault, usage: { input: 321 } })]);
    const one = asked();
    expect(await failureOf(run(adapter, one))).toMatchObject({ code });
    expect(one.transcript).toHaveLength(2);
    expect(one.transcript.at(-1)).toMatchObject({ role: 'assistant', text: '', stop: 'broken', usage: { inputTokens: 321 } });
    expect(server.requests).toHaveLength(1);
  });

  test('that broke off is asked for again by the next try, with the same beginning', async () => {
    const { server, adapter, another } = await local([say('half', { fault: { kind: 'cut', at: 4 } }), say('42')]);
    const one = asked();
    await failureOf(run(adapter, one));
    await run(another(), one);
    expect(one.transcript.at(-1)).toMatchObject({ text: '42' });
    expect(server.problems).toEqual([]);
  });

  test('whose end alone is missing is whole, and not paid for twice', async () => {
    const whole = say('42');
    // message_start, ping, start, one delta, stop, message_delta; the seventh would be message_stop.
    const { server, adapter } = await local([{ ...whole, fault: { kind: 'cut', at: 7 } }]);
    const one = asked();
    await run(adapter, one);
    expect(one.transcript.at(-1)).toMatchObject({ text: '42', usage: { inputTokens: 10 } });
    expect(server.requests).toHaveLength(1);
  });

  test('that breaks off counts at least what came of it', async () => {
    const { adapter } = await local([say('x'.repeat(4000), { fault: { kind: 'cut', at: 100 } })]);
    const one = asked();
    await failureOf(run(adapter, one));
    expect(one.transcript.at(-1)?.usage?.outputTokens).toBeGreaterThan(500);
  });

  test('that drips is no failure, and each piece is a sign of life', async () => {
    let signs = 0;
    const { adapter } = await local([say('drop by drop by drop by drop', { dripMs: 1 })]);
    const one = asked({ alive: () => signs++ });
    await run(adapter, one);
    expect(one.transcript.at(-1)).toMatchObject({ text: 'drop by drop by drop by drop' });
    expect(signs).toBeGreaterThan(2);
  });

  test('with bytes that are not UTF-8 keeps the rest of its text', async () => {
    const { adapter } = await local([say('a café here', { fault: { kind: 'invalid-utf8' } })]);
    const one = asked();
    await run(adapter, one);
    expect(one.transcript.at(-1)?.text).toBe('a caf\uFFFD( here');
  });
});

describe('cancelled', () => {
  test.each<[string, Fault | undefined]>([
    ['before it answers', undefined],
    ['in mid-stream', { kind: 'hang', at: 5 }],
  ])('%s: fails with the reason and closes its socket', async (_when, fault) => {
    const stop = new AbortController();
    const { server, adapter } = await local(() =>
      fault ? say('a text of more than one piece, to be cut in two', { fault }) : { kind: 'silence' },
    );
    let pieces = 0;
    const one = asked({ alive: () => pieces++ });
    const running = run(adapter, one, { signal: stop.signal });
    while (server.requests.length === 0 || (fault && pieces === 0)) await new Promise(setImmediate);
    stop.abort(new Error('cancelled'));
    await expect(running).rejects.toThrow('cancelled');
    while (server.open() > 0) await new Promise(setImmediate);
    expect(server.requests[0]?.gone).toBe(true);
  });

  test('or not: it is listened to no longer than its request takes', async () => {
    const { adapter } = await local(({ turn }) => (turn < 4 ? call(['read_file', {}]) : say('42')));
    const { signal } = new AbortController();
    const one = asked();
    await run(adapter, one, { signal });
    // Otherwise the connection stays open for ever.
    while (getEventListeners(signal, 'abort').length > 0) await new Promise(setImmediate);
    expect(one.transcript.at(-1)).toMatchObject({ text: '42' });
  });

  test('before anything was asked: nothing is', async () => {
    const { server, adapter } = await local([call(['read_file', {}])]);
    await expect(run(adapter, asked(), { signal: AbortSignal.abort(new Error('cancelled')) })).rejects.toThrow('cancelled');
    expect(server.requests).toHaveLength(0);
  });
});

test('sends what is set up and nothing that the environment would add', async () => {
  process.env['ANTHROPIC_CUSTOM_HEADERS'] = 'x-private: yes\nauthorization: Bearer other';
  const { server, adapter } = await local([say('42')], { headers: { 'X-Team': 'quant' } });
  await run(adapter, asked()).finally(() => delete process.env['ANTHROPIC_CUSTOM_HEADERS']);
  expect(server.requests[0]?.headers).toMatchObject({ 'x-api-key': KEY, 'x-team': 'quant' });
  expect(server.requests[0]?.headers).not.toHaveProperty('x-private');
  expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
});
