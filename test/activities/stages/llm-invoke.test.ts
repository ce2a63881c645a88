import { createHash } from 'node:crypto';
import type { StageCall } from '../../../activities/stages/stage-call';
import type { StagePorts } from '../../../activities/stages/stage-ports';
import { ThermidorFailure } from '../../../plan/run/failure';
import { failureOf } from '../workshop';
import { keeping, out, ports, stage } from './pipe';
import { service } from './service';

const ANSWER = { runId: 'r1', model: 'm', output: { text: 'hi', data: { n: 1 }, format: 'json' }, usage: { inputTokens: 3 } };
const GOOD = { json: { ok: true, result: ANSWER } };
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const ask = (flags: Record<string, string | true> = {}) => stage('llm.invoke', { prompt: 'Say hi', ...flags });
const alias = (call: StageCall): StageCall => ({ ...call, calledAs: 'llm_task.invoke' });

describe('llm.invoke', () => {
  test('posts prompt and artifacts to an http adapter and outputs its answer as an item', async () => {
    const adapter = await service(GOOD);
    const at = ports({ LOBSTER_LLM_ADAPTER_URL: adapter.url, LOBSTER_LLM_ADAPTER_TOKEN: 't' });
    const [item] = (await out(['text', { b: 2, a: 1 }, 5, [1]], ask(), at)) as object[];
    const artifacts = [
      { kind: 'text', text: 'text' },
      { b: 2, a: 1 },
      { kind: 'text', text: '5' },
      { kind: 'json', data: [1] },
    ];
    const sorted = ['{"kind":"text","text":"text"}', '{"a":1,"b":2}', '{"kind":"text","text":"5"}', '{"data":[1],"kind":"json"}'];
    const body = { prompt: 'Say hi', artifacts, artifactHashes: sorted.map(sha256), schemaVersion: 'v1' };
    expect(adapter.asked).toMatchObject([{ method: 'POST', path: '/invoke', headers: { authorization: 'Bearer t' } }]);
    expect(adapter.asked[0]?.body).toEqual(body);
    expect(item).toEqual({
      kind: 'llm.invoke',
      runId: 'r1',
      prompt: null,
      model: 'm',
      schemaVersion: 'v1',
      status: 'completed',
      cacheKey: expect.stringMatching(/^[0-9a-f]{64}$/),
      artifactHashes: body.artifactHashes,
      output: { format: 'json', text: 'hi', data: { n: 1 } },
      usage: { inputTokens: 3 },
      metadata: null,
      warnings: null,
      diagnostics: null,
      createdAt: '2026-11-21T07:30:00.000Z',
      source: 'http',
      cached: false,
      attemptCount: 1,
    });
  });

  test('sends what its flags say', async () => {
    const adapter = await service(GOOD);
    const flags = {
      model: 'big',
      temperature: '0.5',
      'max-output-tokens': '100',
      'output-schema': '{"type":"object"}',
      'metadata-json': '{"k":1}',
    };
    await out(
      [],
      ask({ ...flags, 'artifacts-json': '["x"]', token: 'mine' }),
      ports({ LOBSTER_LLM_ADAPTER_URL: `${adapter.url}/own/path` }),
    );
    expect(adapter.asked[0]).toMatchObject({
      path: '/own/path',
      headers: { authorization: 'Bearer mine' },
      body: {
        model: 'big',
        temperature: 0.5,
        maxOutputTokens: 100,
        outputSchema: { type: 'object' },
        metadata: { k: 1 },
        artifacts: [{ kind: 'text', text: 'x' }],
      },
    });
  });

  test('takes the model of the environment, and the words if there is no prompt', async () => {
    const adapter = await service(GOOD);
    await out([], stage('llm.invoke', 'Say', 'hi'), ports({ LOBSTER_LLM_ADAPTER_URL: adapter.url, LOBSTER_LLM_MODEL: 'small' }));
    expect(adapter.asked[0]?.body).toMatchObject({ prompt: 'Say hi', model: 'small' });
  });

  test.each([
    [GOOD, 'bare'],
    [{ json: { ok: true, result: { ok: true, result: ANSWER } } }, 'wrapped twice'],
    [{ json: ANSWER }, 'not wrapped'],
  ])('asks openclaw through its tool llm-task: %#', async (reply, _how) => {
    const openclaw = await service(reply);
    const at = ports({ CLAWD_URL: openclaw.url, OPENCLAW_TOKEN: 't' });
    expect(await out([], ask(), at)).toMatchObject([{ source: 'openclaw', output: { text: 'hi' } }]);
    expect(openclaw.asked[0]).toMatchObject({
      path: '/tools/invoke',
      headers: { authorization: 'Bearer t' },
      body: { tool: 'llm-task', action: 'invoke', args: { prompt: 'Say hi', artifacts: [] } },
    });
  });

  test('goes to openclaw by its older name, and says so', async () => {
    const openclaw = await service(GOOD);
    const at = ports({ OPENCLAW_URL: openclaw.url, LOBSTER_PI_LLM_ADAPTER_URL: 'http://127.0.0.1:9' });
    expect(await out([], alias(ask()), at)).toMatchObject([{ kind: 'llm_task.invoke', source: 'clawd', cached: false }]);
  });

  test('chooses a provider by flag, by environment, then by what the environment offers', async () => {
    const all = { pi: await service(GOOD), openclaw: await service(GOOD), http: await service(GOOD) };
    const offers = { LOBSTER_PI_LLM_ADAPTER_URL: all.pi.url, OPENCLAW_URL: all.openclaw.url, LOBSTER_LLM_ADAPTER_URL: all.http.url };
    const source = async (flags: Record<string, string>, more: Record<string, string> = {}) =>
      ((await out([], ask(flags), ports({ ...offers, ...more }))) as { source: string }[])[0]?.source;
    expect(await source({ provider: 'http' }, { LOBSTER_LLM_PROVIDER: 'openclaw' })).toBe('http');
    expect(await source({}, { LOBSTER_LLM_PROVIDER: ' OpenClaw ' })).toBe('openclaw');
    expect(await source({})).toBe('pi');
    expect(await source({}, { LOBSTER_PI_LLM_ADAPTER_URL: '' })).toBe('openclaw');
    expect(await source({}, { LOBSTER_PI_LLM_ADAPTER_URL: '', OPENCLAW_URL: ' ' })).toBe('http');
    expect([all.pi.asked.length, all.openclaw.asked.length, all.http.asked.length]).toEqual([1, 2, 2]);
  });

  describe('with an output schema', () => {
    const SCHEMA = { 'output-schema': '{"type":"object","required":["n"],"properties":{"n":{"type":"number"}}}' };
    const bad = { json: { ok: true, result: { output: { data: { n: 'x' } } } } };

    test('asks again once, saying what was wrong', async () => {
      const adapter = await service(bad, GOOD);
      expect(await out([], ask(SCHEMA), ports({ LOBSTER_LLM_ADAPTER_URL: adapter.url }))).toMatchObject([{ attemptCount: 2 }]);
      const [first, second] = adapter.asked.map(({ body }) => body as Record<string, unknown>);
      expect(first).not.toHaveProperty('retryContext');
      expect(second).toEqual({ ...first, retryContext: { attempt: 2, validationErrors: [expect.stringContaining('n ')] } });
    });

    test('fails if the second answer breaks it too', async () => {
      const adapter = await service(bad);
      const failure = await failureOf(out([], ask(SCHEMA), ports({ LOBSTER_LLM_ADAPTER_URL: adapter.url })));
      expect([failure.code, failure.message.startsWith('llm.invoke output failed schema validation')]).toEqual(['stage.failed', true]);
      expect(adapter.asked).toHaveLength(2);
    });

    test('asks as often as its parameter says', async () => {
      const adapter = await service(bad);
      await failureOf(out([], ask({ ...SCHEMA, 'max-validation-retries': '0' }), ports({ LOBSTER_LLM_ADAPTER_URL: adapter.url })));
      expect(adapter.asked).toHaveLength(1);
    });

    test('pays for no answer twice, even if it broke the schema', async () => {
      const adapter = await service(bad, { status: 503, text: 'busy' }, GOOD);
      const at = ports({ LOBSTER_LLM_ADAPTER_URL: adapter.url }, { once: keeping() });
      await failureOf(out([], ask(SCHEMA), at));
      expect(await out([], ask(SCHEMA), at)).toMatchObject([{ attemptCount: 2 }]);
      expect(adapter.asked).toHaveLength(3);
    });
  });

  test.each([
    [{ json: { ok: false, error: { message: 'no money' } } }, 'llm.invoke remote error: no money'],
    [{ json: { ok: true, result: { text: 'no output' } } }, 'llm.invoke received invalid response envelope'],
    [{ json: { ok: 'yes' } }, 'llm.invoke received invalid response envelope'],
    [{ text: '<html>' }, 'llm.invoke request failed: Response was not JSON'],
    [{ status: 401, text: 'who?' }, 'llm.invoke request failed: 401 Unauthorized: who?'],
  ])('fails with what the adapter answered: %p', async (reply, message) => {
    const adapter = await service(reply);
    const at = ports({ LOBSTER_LLM_ADAPTER_URL: adapter.url });
    expect(await failureOf(out([], ask(), at))).toMatchObject({ code: 'stage.failed', message });
  });

  test.each<[StageCall, Record<string, string>, string]>([
    [ask(), {}, 'could not resolve a provider'],
    [ask({ provider: 'pi' }), {}, 'requires LOBSTER_PI_LLM_ADAPTER_URL'],
    [ask({ provider: 'mine' }), {}, 'Unsupported llm provider: mine'],
    [stage('llm.invoke'), { LOBSTER_LLM_ADAPTER_URL: 'http://127.0.0.1:9' }, 'requires --prompt'],
    [ask({ 'output-schema': '[]' }), { LOBSTER_LLM_ADAPTER_URL: 'http://127.0.0.1:9' }, '--output-schema must be a JSON object'],
    [ask({ 'artifacts-json': '{}' }), { LOBSTER_LLM_ADAPTER_URL: 'http://127.0.0.1:9' }, '--artifacts-json must be a JSON array'],
    [ask(), { LOBSTER_LLM_ADAPTER_URL: 'http://127.0.0.1:9' }, '127.0.0.1:9'],
  ])('fails with its name first: %#', async (call, environment, part) => {
    const failure = await failureOf(out([], call, ports(environment)));
    expect([failure.code, failure.message.startsWith('llm.invoke')]).toEqual(['stage.failed', true]);
    expect(failure.message).toContain(part);
  });
});

test.each([
  ['llm.invoke', { prompt: 'Say hi', provider: 'http' }],
  ['openclaw.invoke', { url: 'http://127.0.0.1:9', tool: 't', action: 'a' }],
] as const)('%s leaves a service alone that does not listen when the time is up', async (name, flags) => {
  const limit = new AbortController();
  const late = new ThermidorFailure('command.timeout', 'the pipe did not finish within 50 ms');
  let called: () => void = () => undefined;
  const isCalled = new Promise<void>((resolve) => {
    called = resolve;
  });
  const deaf: StagePorts['http'] = {
    post: () => {
      called();
      return new Promise(() => undefined);
    },
  };
  const at = { ...ports({ LOBSTER_LLM_ADAPTER_URL: 'http://127.0.0.1:9' }), http: deaf, signal: limit.signal };
  const asked = failureOf(out([], stage(name, flags), at));
  await isCalled;
  limit.abort(late);
  expect(await asked).toBe(late);
});
