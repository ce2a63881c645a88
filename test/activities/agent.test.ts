import { agent } from '../../activities/agent/agent';
import { ThermidorFailure } from '../../plan/run/failure';
import type { Json } from '../../plan/text/json';
import { ADDRESS, briefStep, GOOD, GOOD_TEXT, INPUT } from './brief-step';
import { failureOf, fakeAgent, withAgent, workshop } from './workshop';

describe('a try of an agent step', () => {
  test('stores the reply and reports its reference, the values that are read, usage and adapter', async () => {
    const usage = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroUsd: null };
    const adapter = fakeAgent(() => [{ role: 'assistant', text: GOOD_TEXT, usage }]);
    const shop = workshop(withAgent(adapter));
    await shop.open([await briefStep(shop, { reads: [['thesis'], ['key_levels', 0, 'price'], ['nowhere']] })]);
    const output = await agent(shop.toolbox, shop.call(ADDRESS), INPUT);
    expect(output).toMatchObject({
      artifact: { name: 'Brief.json', mediaType: 'application/json' },
      values: { thesis: 'up', 'key_levels.0.price': 1, nowhere: null },
      usage,
      adapter: 'fake',
    });
    expect((await shop.artifacts.get(output.artifact!)).toString()).toBe(GOOD_TEXT);
  });

  test('adds up the usage of task and repair; one unknown cost makes the sum unknown', async () => {
    const usage = (costMicroUsd: number | null) => ({
      inputTokens: 1,
      outputTokens: 1,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      costMicroUsd,
    });
    const adapter = fakeAgent(({ ask }) => [
      { role: 'assistant', text: ask === 1 ? 'bad' : GOOD_TEXT, usage: usage(ask === 1 ? 5 : null) },
    ]);
    const shop = workshop(withAgent(adapter));
    await shop.open([await briefStep(shop)]);
    expect((await agent(shop.toolbox, shop.call(ADDRESS), INPUT)).usage).toMatchObject({ ...usage(null), inputTokens: 2, outputTokens: 2 });
  });

  test('ends a silent agent when its time is up, the step’s own timeout first', async () => {
    const shop = workshop(withAgent(fakeAgent(() => new Promise<string>(() => undefined))));
    await shop.open([await briefStep(shop, { timeoutMs: 5 })], {
      agents: { bull: { definition: await shop.blob({ id: 'bull', role: 'r' }), timeoutMs: 3_600_000 } },
    });
    const failure = await failureOf(agent(shop.toolbox, shop.call(ADDRESS), INPUT));
    expect(failure).toMatchObject({ code: 'agent.timeout', details: { timeoutMs: 5 } });
  });

  test.each([
    ['its own', { turns: 7, toolCalls: 3 }, { turns: 7, toolCalls: 3 }],
    ['those of the step where it has none', { toolCalls: 3 }, { turns: 80, toolCalls: 3 }],
    ['those of the step where it has no limits', undefined, { turns: 80 }],
  ])('may take as many turns as are %s', async (_, limits, expected) => {
    const seen: unknown[] = [];
    const adapter = fakeAgent((request) => {
      seen.push(request.agent.limits);
      return GOOD_TEXT;
    });
    const shop = workshop(withAgent(adapter));
    await shop.open([await briefStep(shop, { turns: 80 })], {
      agents: { bull: { definition: await shop.blob({ id: 'bull', role: 'r', ...(limits ? { limits } : {}) }) } },
    });
    await agent(shop.toolbox, shop.call(ADDRESS), INPUT);
    expect(seen).toEqual([expected]);
  });

  test('ends at once when it is cancelled, even if the adapter does not listen', async () => {
    const stop = new AbortController();
    const adapter = fakeAgent(() => {
      stop.abort(new Error('cancelled'));
      return new Promise<string>(() => undefined);
    });
    const shop = workshop(withAgent(adapter));
    await shop.open([await briefStep(shop)]);
    await expect(agent(shop.toolbox, shop.call(ADDRESS, { signal: stop.signal }), INPUT)).rejects.toThrow('cancelled');
  });

  test('heartbeats before the agent says anything', async () => {
    const beats: Json[] = [];
    const shop = workshop(withAgent(fakeAgent(() => JSON.stringify({ ...(GOOD as object), thesis: `${beats.length > 0}` }))));
    await shop.open([await briefStep(shop, { reads: [['thesis']] })]);
    const output = await agent(shop.toolbox, shop.call(ADDRESS, { heartbeat: ({ turn }) => beats.push({ turn }) }), INPUT);
    expect(output.values).toEqual({ thesis: 'true' });
  });

  test('refuses to carry more than 64 KiB of values, and names step and path', async () => {
    const shop = workshop(withAgent(fakeAgent(() => JSON.stringify({ small: 1, large: 'x'.repeat(70_000) }))));
    await shop.open([{ id: 'bull', kind: 'agent', agent: 'bull', output: { name: 'A.json' }, reads: [['small'], ['large']] }]);
    const failure = await failureOf(agent(shop.toolbox, shop.call(ADDRESS), INPUT));
    expect(failure).toMatchObject({ code: 'values.too-large', details: { step: 'bull', path: 'large' } });
  });

  test('passes on what the adapter fails with', async () => {
    const failing = fakeAgent(() => {
      throw new ThermidorFailure('model.overloaded', '529', null, 2000);
    });
    const shop = workshop(withAgent(failing));
    await shop.open([await briefStep(shop)]);
    expect(await failureOf(agent(shop.toolbox, shop.call(ADDRESS), INPUT))).toMatchObject({ code: 'model.overloaded', retryAfterMs: 2000 });
  });
});
