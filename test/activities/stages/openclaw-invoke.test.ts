import { failureOf } from '../workshop';
import { keeping, out, ports, stage } from './pipe';
import { service } from './service';

const SEND = { tool: 'message', action: 'send' };

describe('openclaw.invoke', () => {
  test('posts tool, action and args to /tools/invoke and outputs the result', async () => {
    const openclaw = await service({ json: { ok: true, result: { sent: 1 } } });
    const call = stage('openclaw.invoke', { ...SEND, 'args-json': '{"to": "ada"}' });
    expect(await out([{ ignored: true }], call, ports({ OPENCLAW_URL: openclaw.url }))).toEqual([{ sent: 1 }]);
    expect(openclaw.asked).toMatchObject([{ method: 'POST', path: '/tools/invoke', body: { ...SEND, args: { to: 'ada' } } }]);
    expect(openclaw.asked[0]?.headers).toMatchObject({ 'content-type': 'application/json' });
    expect(openclaw.asked[0]?.headers.authorization).toBeUndefined();
    expect(Object.keys(openclaw.asked[0]?.body as object)).toEqual(['tool', 'action', 'args']);
  });

  test.each<[Record<string, string>, Record<string, string | true>, string | undefined]>([
    [{ OPENCLAW_TOKEN: 'one', CLAWD_TOKEN: 'two' }, {}, 'Bearer one'],
    [{ CLAWD_TOKEN: 'two' }, {}, 'Bearer two'],
    [{ OPENCLAW_TOKEN: 'one' }, { token: 'mine' }, 'Bearer mine'],
    [{ OPENCLAW_TOKEN: 'one' }, { token: '' }, undefined],
  ])('sends the token of the environment, or the flag’s: %p %p', async (environment, flags, header) => {
    const openclaw = await service({ json: null });
    expect(await out([], stage('openclaw.invoke', { ...SEND, ...flags }), ports({ CLAWD_URL: openclaw.url, ...environment }))).toEqual([
      null,
    ]);
    expect(openclaw.asked[0]?.headers.authorization).toBe(header);
  });

  test('sends no token of the environment to another machine', async () => {
    const at = ports({ OPENCLAW_TOKEN: 'secret', OPENCLAW_URL: 'http://openclaw.invalid' });
    expect(await failureOf(out([], stage('openclaw.invoke', SEND), at))).toMatchObject({ code: 'stage.failed' });
  });

  test.each<[Record<string, string | true>, object]>([
    [{ 'dry-run': true }, { dryRun: true }],
    [{ 'session-key': 's1' }, { sessionKey: 's1' }],
  ])('passes on %p', async (flags, more) => {
    const openclaw = await service({ json: [] });
    await out([], stage('openclaw.invoke', { ...SEND, ...flags, url: openclaw.url }));
    expect(openclaw.asked[0]?.body).toEqual({ ...SEND, args: {}, ...more });
  });

  test('--each makes one call for every item, whose results are items each', async () => {
    const openclaw = await service({ json: { ok: true, result: [1, 2] } }, { json: { raw: true } });
    const call = stage('openclaw.invoke', { ...SEND, each: true, 'item-key': 'message', 'args-json': '{"to": "ada", "message": 0}' });
    expect(await out(['a', { b: 1 }], call, ports({ OPENCLAW_URL: openclaw.url }))).toEqual([1, 2, { raw: true }]);
    expect(openclaw.asked.map(({ body }) => body)).toEqual([
      { ...SEND, args: { to: 'ada', message: 'a' } },
      { ...SEND, args: { to: 'ada', message: { b: 1 } } },
    ]);
  });

  test('--each makes each call once, whatever happens to those after it', async () => {
    const openclaw = await service({ json: { ok: true, result: 1 } }, { status: 500, text: 'down' }, { json: { ok: true, result: 2 } });
    const at = ports({ OPENCLAW_URL: openclaw.url }, { once: keeping() });
    const call = stage('openclaw.invoke', { ...SEND, each: true });
    await failureOf(out(['a', 'b'], call, at));
    expect(await out(['a', 'b'], call, at)).toEqual([1, 2]);
    expect(openclaw.asked.map(({ body }) => (body as { args: unknown }).args)).toEqual([{ item: 'a' }, { item: 'b' }, { item: 'b' }]);
  });

  test.each([
    [{ status: 502, text: 'bad gateway' }, 'openclaw.invoke failed (502): bad gateway'],
    [{ text: 'no json' }, 'openclaw.invoke expected JSON response'],
    [{ json: { ok: false, error: { message: 'no such tool' } } }, 'openclaw.invoke tool error: no such tool'],
    [{ json: { ok: false } }, 'openclaw.invoke tool error: Unknown error'],
  ])('fails with what the service answered: %p', async (reply, message) => {
    const openclaw = await service(reply);
    const at = ports({ OPENCLAW_URL: openclaw.url });
    expect(await failureOf(out([], stage('openclaw.invoke', SEND), at))).toMatchObject({ code: 'stage.failed', message });
  });

  test.each<[Record<string, string | true>, Record<string, string>]>([
    [SEND, {}],
    [{ tool: 'message' }, { OPENCLAW_URL: 'http://127.0.0.1:9' }],
    [{ ...SEND, 'args-json': '{' }, { OPENCLAW_URL: 'http://127.0.0.1:9' }],
    [{ ...SEND, 'args-json': '[1]', each: true }, { OPENCLAW_URL: 'http://127.0.0.1:9' }],
    [SEND, { OPENCLAW_URL: 'file:///etc' }],
    [SEND, { OPENCLAW_URL: 'nowhere' }],
    [SEND, { OPENCLAW_URL: 'http://127.0.0.1:9' }],
  ])('fails with its name first: %p %p', async (flags, environment) => {
    const failure = await failureOf(out([1], stage('openclaw.invoke', flags), ports(environment)));
    expect([failure.code, failure.message.startsWith('openclaw.invoke')]).toEqual(['stage.failed', true]);
  });

  test('fails if the answer is larger than is taken', async () => {
    const openclaw = await service({ json: { ok: true, result: 'x'.repeat(5000) } });
    const at = (more: object, limit = {}) => ports({ OPENCLAW_URL: openclaw.url, ...limit }, more);
    expect((await failureOf(out([], stage('openclaw.invoke', SEND), at({ limitBytes: 1000 })))).code).toBe('output.too-large');
    const limited = at({}, { LOBSTER_MAX_HTTP_RESPONSE_BYTES: '100' });
    expect((await failureOf(out([], stage('openclaw.invoke', SEND), limited))).code).toBe('output.too-large');
  });

  test('ends when it is cancelled, with the reason', async () => {
    const openclaw = await service();
    const stop = new AbortController();
    const running = out([], stage('openclaw.invoke', SEND), ports({ OPENCLAW_URL: openclaw.url }, { signal: stop.signal }));
    const reason = new Error('cancelled');
    stop.abort(reason);
    await expect(running).rejects.toBe(reason);
  });
});
