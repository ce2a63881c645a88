import { agent } from '../../activities/agent/agent';
import type { StepOutput } from '../../plan/steps/step-activity';
import type { Json } from '../../plan/text/json';
import { scriptedShop, text, tokens } from './scripted-shop';
import { failureOf, fakeAgent, KEY, withAgent, workshop } from './workshop';

const json = (value: Json) => ({ kind: 'json', value }) as const;
const REPAIRED = { output: { name: 'A.json' } };

function short({ paused }: StepOutput): unknown {
  return paused?.kind === 'budget' ? paused.short : paused;
}

describe('a try within its budget', () => {
  test('receives what is left, less with each request', async () => {
    const shop = await scriptedShop({
      step: REPAIRED,
      replies: { lead: [text('bad', { ask: 1, usage: tokens(30) }), { reply: json({ a: 1 }), usage: tokens(20) }] },
    });
    const output = await shop.perform({ budget: { tokens: 100 } });
    expect(shop.requests.map(({ maxTokens }) => maxTokens)).toEqual([100, 70]);
    expect(output).toMatchObject({ usage: { inputTokens: 50 } });
    expect(output.paused).toBeUndefined();
  });

  test('uses exactly what it may', async () => {
    const shop = await scriptedShop({ replies: { lead: [text('done', { usage: tokens(100) })] } });
    expect((await shop.perform({ budget: { tokens: 100 } })).paused).toBeUndefined();
  });

  test('is given no reply that is not left, and says how much the try needs', async () => {
    const shop = await scriptedShop({ replies: { lead: [text('done', { usage: tokens(101) })] } });
    const output = await shop.perform({ budget: { tokens: 100 } });
    expect(output).toEqual({ adapter: 'scripted', paused: { kind: 'budget', short: { kind: 'tokens', needed: 101 } } });
    expect(shop.given).toEqual([]);
  });

  test('makes no request if nothing is left', async () => {
    const shop = await scriptedShop({ replies: { lead: [text('done')] } });
    expect(short(await shop.perform({ budget: { tokens: 0 } }))).toEqual({ kind: 'tokens', needed: 1 });
    expect(shop.requests).toEqual([]);
  });

  test('counts the cache too', async () => {
    const usage = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4 };
    const shop = await scriptedShop({ replies: { lead: [text('done', { usage })] } });
    expect(short(await shop.perform({ budget: { tokens: 9 } }))).toEqual({ kind: 'tokens', needed: 10 });
  });

  test('goes on from its pause with what was paid, and pays for nothing twice', async () => {
    const shop = await scriptedShop({
      step: REPAIRED,
      replies: { lead: [text('bad', { ask: 1, usage: tokens(60) }), { reply: json({ a: 1 }), usage: tokens(50) }] },
    });
    const paused = await shop.perform({ budget: { tokens: 100 } });
    expect(paused).toMatchObject({ usage: { inputTokens: 60 }, paused: { short: { kind: 'tokens', needed: 110 } } });
    expect(short(await shop.perform({ budget: { tokens: 109 } }))).toEqual({ kind: 'tokens', needed: 110 });
    const done = await shop.perform({ budget: { tokens: 110 } });
    expect(done).toMatchObject({ usage: { inputTokens: 110 }, repairs: [{ missingFields: ['$'] }] });
    expect(shop.given).toHaveLength(2);
  });

  test('records no pause as its result, and its result once', async () => {
    const shop = await scriptedShop({ replies: { lead: [text('done', { usage: tokens(10) })] } });
    await shop.perform({ budget: { tokens: 5 } });
    expect(await shop.ledger.get(KEY, 'lead#1~1')).toBeUndefined();
    const done = await shop.perform({ budget: { tokens: 10 } });
    expect(await shop.perform({ budget: { tokens: 1 } })).toEqual(done);
  });
});

describe('a try under a ceiling in dollars', () => {
  const priced = { prices: { models: { large: { input: 3, output: 15 } } } };

  test('takes what the script says that it costs', async () => {
    const shop = await scriptedShop({ replies: { lead: [text('done', { usage: tokens(10, 400) })] } });
    expect(short(await shop.perform({ budget: { costMicroUsd: 399 } }))).toEqual({ kind: 'costMicroUsd', needed: 400 });
    expect((await shop.perform({ budget: { costMicroUsd: 400 } })).usage?.costMicroUsd).toBe(400);
  });

  test('else takes the price of the model', async () => {
    const shop = await scriptedShop({ toolbox: priced, lead: { model: 'large' }, replies: { lead: [text('x', { usage: tokens(10) })] } });
    expect(short(await shop.perform({ budget: { costMicroUsd: 29 } }))).toEqual({ kind: 'costMicroUsd', needed: 30 });
    expect((await shop.perform({ budget: { costMicroUsd: 30 } })).usage?.costMicroUsd).toBe(30);
  });

  test('holds a cost that nobody can tell, before it is paid', async () => {
    const shop = await scriptedShop({ toolbox: priced, lead: { model: 'small' }, replies: { lead: [text('x', { usage: tokens(10) })] } });
    const output = await shop.perform({ budget: { costMicroUsd: 1000, onUnknownCost: 'hold' } });
    expect(short(output)).toEqual({ kind: 'unknownCost', model: 'small' });
    expect(shop.given).toEqual([]);
  });

  test('holds it for an adapter that does not ask, too', async () => {
    const adapter = fakeAgent(() => 'x');
    const shop = workshop({ ...withAgent(adapter), ...priced });
    await shop.open([{ id: 'lead', kind: 'agent', agent: 'bull' }]);
    const output = await agent(shop.toolbox, shop.call('lead#1~1'), { run: KEY.run, budget: { costMicroUsd: 1000 } });
    expect(output.paused).toMatchObject({ short: { kind: 'unknownCost' } });
    expect(adapter.requests).toEqual([]);
  });

  test('lets it run if the policy says so, and reports it as unknown', async () => {
    const shop = await scriptedShop({ replies: { lead: [text('x', { usage: tokens(10) })] } });
    const output = await shop.perform({ budget: { costMicroUsd: 1, onUnknownCost: 'allow' } });
    expect(output.usage).toMatchObject({ inputTokens: 10, costMicroUsd: null });
  });

  test('asks for no price if there is no ceiling', async () => {
    const shop = await scriptedShop({ replies: { lead: [text('x', { usage: tokens(10) })] } });
    expect((await shop.perform({ budget: { tokens: 10, onUnknownCost: 'hold' } })).paused).toBeUndefined();
  });
});

describe('a failure after something was paid', () => {
  const paid = text('bad', { ask: 1, usage: tokens(7, 70) });
  const usage = { inputTokens: 7, costMicroUsd: 70 };

  test.each(['model.api-error', 'model.overloaded', 'model.refused'] as const)('carries what was used: %s', async (code) => {
    const shop = await scriptedShop({
      step: REPAIRED,
      replies: { lead: [paid, { reply: { kind: 'fail', code, message: 'no', retryAfterMs: 5 } }] },
    });
    expect(await failureOf(shop.perform())).toMatchObject({ code, retryAfterMs: 5, work: { usage } });
  });

  test('carries it when the reply is bad, and next to its own details', async () => {
    const shop = await scriptedShop({ step: { ...REPAIRED, repair: 0 }, replies: { lead: [paid] } });
    expect(await failureOf(shop.perform())).toMatchObject({ code: 'reply.invalid', work: { usage }, details: { step: 'lead' } });
  });

  describe('while the second request hangs', () => {
    const replies = { lead: [paid, { reply: { kind: 'hang' } } as const] };
    /** Rings a timer of exactly this length, and only after two requests. */
    const ringing = (due: number) => {
      const seen: { requests: unknown[] } = { requests: [] };
      const timer = (ms: number, ring: () => void) => {
        const look = () => (seen.requests.length === 2 ? ring() : setImmediate(look));
        if (ms === due) setImmediate(look);
        return () => undefined;
      };
      return { timer, seen };
    };

    test('carries it when the time is up', async () => {
      const { timer, seen } = ringing(20);
      const shop = await scriptedShop({ step: { ...REPAIRED, timeoutMs: 20 }, toolbox: { timer }, replies });
      seen.requests = shop.requests;
      expect(await failureOf(shop.perform())).toMatchObject({ code: 'agent.timeout', work: { usage }, details: { timeoutMs: 20 } });
    });

    test('carries it when the agent falls silent, which ends it without a timeout of its own', async () => {
      const { timer, seen } = ringing(10);
      const shop = await scriptedShop({ step: REPAIRED, toolbox: { stuckMs: 10, timer }, replies });
      seen.requests = shop.requests;
      expect(await failureOf(shop.perform())).toMatchObject({
        code: 'agent.stuck',
        work: { usage },
        details: { agent: 'lead', stuckMs: 10 },
      });
    });
  });
});

test('a silence is counted again with every turn', async () => {
  const rings: number[] = [];
  let stopped = 0;
  const timer = (ms: number) => {
    rings.push(ms);
    return () => {
      stopped += 1;
    };
  };
  const turns = ['one', 'two', 'three'].map((said) => ({ role: 'assistant' as const, text: said }));
  const shop = workshop({ ...withAgent(fakeAgent(() => turns)), timer });
  await shop.open([{ id: 'lead', kind: 'agent', agent: 'bull' }]);
  await agent(shop.toolbox, shop.call('lead#1~1'), { run: KEY.run });
  expect(rings).toEqual([900_000, 900_000, 900_000, 900_000]);
  expect(stopped).toBe(4);
});

/** Rings a timer of at most half a second at once, and a longer one never. */
function soon(ms: number, ring: () => void): () => void {
  if (ms <= 500) setImmediate(ring);
  return () => undefined;
}

describe('a try and the time of its budget', () => {
  const hang = { reply: { kind: 'hang' } } as const;
  const atOnce = { nowMs: () => 1000, timer: soon };

  test('pauses when it is up, and does not count as having taken too long', async () => {
    const shop = await scriptedShop({ step: { timeoutMs: 60_000 }, replies: { lead: [hang] }, toolbox: atOnce });
    expect(short(await shop.perform({ budget: { untilMs: 1500 } }))).toEqual({ kind: 'wallClock' });
  });

  test('is timed out if its own time is up first', async () => {
    const shop = await scriptedShop({ step: { timeoutMs: 400 }, replies: { lead: [hang] }, toolbox: atOnce });
    await expect(shop.perform({ budget: { untilMs: 1500 } })).rejects.toMatchObject({ code: 'agent.timeout' });
  });

  test.each([
    ['a year ahead', 365 * 86_400_000, 900, undefined],
    ['a year behind', -365 * 86_400_000, 1400, { kind: 'wallClock' }],
  ])('goes by the server’s clock if this machine’s is %s', async (_, offMs, serverMs, expected) => {
    const reply = expected ? hang : text('done');
    const shop = await scriptedShop({ replies: { lead: [reply] }, toolbox: { nowMs: () => serverMs + offMs, timer: soon } });
    const call = shop.call('lead#1~1', { serverNowMs: async () => serverMs });
    expect(short(await agent(shop.toolbox, call, { run: KEY.run, budget: { untilMs: 1500 } }))).toEqual(expected);
  });
});

describe('a try that is cancelled', () => {
  async function cancelledWith(isCancelled: boolean): Promise<StepOutput> {
    const off = new AbortController();
    const shop = await scriptedShop({
      step: REPAIRED,
      replies: { lead: [text('bad', { ask: 1, usage: tokens(30) }), { reply: { kind: 'hang' } }] },
    });
    const call = shop.call('lead#1~1', { signal: off.signal, isCancelled: () => isCancelled });
    const working = agent(shop.toolbox, call, { run: KEY.run });
    while (shop.requests.length < 2) await new Promise((resolve) => setImmediate(resolve));
    off.abort(new Error('off'));
    return await working;
  }

  test('says what it had used by then', async () => {
    expect(await cancelledWith(true)).toMatchObject({ paused: { kind: 'cancelled' }, usage: { inputTokens: 30 } });
  });

  test('says nothing if it is its worker that goes: another takes over', async () => {
    await expect(cancelledWith(false)).rejects.toThrow('off');
  });
});
