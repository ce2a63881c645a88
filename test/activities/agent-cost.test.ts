import { agent } from '../../activities/agent/agent';
import { UNREPORTED_USAGE } from '../../plan/budgets/usage';
import { ThermidorFailure } from '../../plan/run/failure';
import { accountLog, readAccountEntry } from '../../records/accounts/account-log';
import type { Turn } from '../../records/transcripts/turn';
import { aroundLines, fakeAgent, KEY, withAgent, workshop } from './workshop';

/** What a try costs: by the price of its model, by what was reported, and unknown if neither is known. */
describe('a service that does not say what it used', () => {
  const silent = fakeAgent(({ ask }) => [{ role: 'assistant', text: ask === 1 ? 'bad' : '{"a": 1}', model: 'm' }]);
  const prices = { models: { m: { input: 1, output: 1 } } };

  test('makes the cost unknown: never nothing', async () => {
    const shop = workshop({ ...withAgent(silent), prices });
    await shop.open([{ id: 'bull', kind: 'agent', agent: 'bull' }]);
    const { usage } = await agent(shop.toolbox, shop.call('bull#1~1'), { run: KEY.run });
    expect(usage).toMatchObject({ inputTokens: 0, costMicroUsd: null });
  });

  test('is asked once under a ceiling in dollars, and then a person is', async () => {
    const shop = workshop({ ...withAgent(silent), prices });
    const definition = await shop.blob({ id: 'bull', role: 'r', model: 'm' });
    await shop.open([{ id: 'bull', kind: 'agent', agent: 'bull', output: { name: 'A.json' } }], { agents: { bull: { definition } } });
    const output = await agent(shop.toolbox, shop.call('bull#1~1'), { run: KEY.run, budget: { costMicroUsd: 100, onUnlimited: 'allow' } });
    expect(output.paused).toEqual({ kind: 'budget', short: { kind: 'unknownCost', model: 'm' } });
  });
});

test('a model that answers under a name of its own has the price of the one that was asked for', async () => {
  const usage = { ...UNREPORTED_USAGE, inputTokens: 3 };
  const adapter = fakeAgent(() => [{ role: 'assistant', text: 'done', model: 'm-latest-build', usage }]);
  const shop = workshop({ ...withAgent(adapter), prices: { models: { m: { input: 2, output: 1 } } } });
  const definition = await shop.blob({ id: 'bull', role: 'r', model: 'm' });
  await shop.open([{ id: 'bull', kind: 'agent', agent: 'bull' }], { agents: { bull: { definition } } });
  expect((await agent(shop.toolbox, shop.call('bull#1~1'), { run: KEY.run })).usage).toEqual({ ...usage, costMicroUsd: 6 });
});

test('an agent that names no model is run by its adapter’s, and has that one’s price', async () => {
  const usage = { ...UNREPORTED_USAGE, inputTokens: 3 };
  const adapter = { ...fakeAgent(() => [{ role: 'assistant', text: 'done', usage }]), model: 'm' };
  const shop = workshop({ ...withAgent(adapter), prices: { models: { m: { input: 2, output: 1 } } } });
  await shop.open([{ id: 'bull', kind: 'agent', agent: 'bull' }]);
  const output = await agent(shop.toolbox, shop.call('bull#1~1'), { run: KEY.run, budget: { costMicroUsd: 6, onUnlimited: 'allow' } });
  expect(output).toMatchObject({ usage: { ...usage, costMicroUsd: 6 } });
  expect(output.paused).toBeUndefined();
  expect(adapter.requests).toMatchObject([{ agent: { model: 'm' } }]);
});

describe('a program that reports its usage at the end', () => {
  const onTheWay = { role: 'assistant', text: 'I look.', stop: 'aside', model: 'm', usage: UNREPORTED_USAGE } as const;
  const prices = { models: { m: { input: 2, output: 1 } } };

  async function used(adapter: ReturnType<typeof fakeAgent>): Promise<unknown> {
    const shop = workshop({ ...withAgent(adapter), prices });
    await shop.open([{ id: 'bull', kind: 'agent', agent: 'bull' }]);
    return await agent(shop.toolbox, shop.call('bull#1~1'), { run: KEY.run }).then(
      ({ usage }) => usage,
      (error: ThermidorFailure) => error.work?.usage,
    );
  }

  test('has reported it: the price of all is known', async () => {
    const last = { role: 'assistant', text: 'done', model: 'm', usage: { ...UNREPORTED_USAGE, inputTokens: 3, settles: 1 } } as const;
    expect(await used(fakeAgent(() => [onTheWay, last]))).toMatchObject({ inputTokens: 3, costMicroUsd: 6 });
  });

  test('has not come to its end: nobody knows, and it was not free', async () => {
    const adapter = fakeAgent(() => [onTheWay]);
    const { run } = adapter;
    adapter.run = async function* (request, signal) {
      yield* run(request, signal);
      throw new ThermidorFailure('agent.failed', 'killed');
    };
    expect(await used(adapter)).toMatchObject({ costMicroUsd: null });
  });
});

describe('a cost that is reported at the end', () => {
  const told = (costMicroUsd: number, settles: number) => ({ ...UNREPORTED_USAGE, inputTokens: 3, costMicroUsd, settles });

  const call = (id: string): Turn[] => {
    const made = { id, tool: 'read_file', args: {} };
    return [
      { role: 'assistant', text: '', model: 'nameless', calls: [made], usage: { ...UNREPORTED_USAGE, inputTokens: 3 } },
      { role: 'tool', text: 'read', call: made },
    ];
  };

  async function costOf(...turns: Turn[]): Promise<number | null | undefined> {
    const adapter = fakeAgent(() => turns);
    const shop = workshop(withAgent(adapter));
    const definition = await shop.blob({ id: 'bull', role: 'You make the bull case.' });
    await shop.open([{ id: 'bull', kind: 'agent', agent: 'bull' }], { agents: { bull: { definition } } });
    return (await agent(shop.toolbox, shop.call('bull#1~1'), { run: KEY.run })).usage?.costMicroUsd;
  }

  test('covers the replies before it', async () => {
    expect(await costOf(...call('a'), ...call('b'), { role: 'assistant', text: 'done', usage: told(900, 2) })).toBe(900);
  });

  test('and no others: earlier replies stay unknown', async () => {
    expect(await costOf(...call('a'), ...call('b'), { role: 'assistant', text: 'done', usage: told(900, 1) })).toBeNull();
  });
});

describe('a request of which nothing was heard again, as its worker was lost', () => {
  const usage = { ...UNREPORTED_USAGE, inputTokens: 100, costMicroUsd: null };
  const prices = { models: { m: { input: 1, output: 1 } } };

  test('has a line of its own with what was reserved for it, so that cost and budget agree', async () => {
    let isDead = false;
    let asked = 0;
    const adapter = fakeAgent(async (request) => {
      await request.reserve?.({ input: 100, wanted: 50, least: 1 });
      asked += 1;
      if (asked > 1) return [{ role: 'assistant', text: '{}', model: 'm', usage }] as never;
      isDead = true;
      throw new Error('killed');
    });
    const shop = workshop({ ...withAgent(adapter), prices });
    const definition = await shop.blob({ id: 'bull', role: 'r', model: 'm' });
    await shop.open([{ id: 'bull', kind: 'agent', agent: 'bull' }], { agents: { bull: { definition } } });
    const input = { run: KEY.run, budget: { costMicroUsd: 1000, tokens: 1000, onUnlimited: 'allow' as const } };
    const ledger = aroundLines(shop.ledger, async (_, write) => {
      if (isDead) throw new Error('killed');
      await write();
    });
    await expect(agent({ ...shop.toolbox, ledger }, shop.call('bull#1~1'), input)).rejects.toThrow('killed');
    const output = await agent(shop.toolbox, shop.call('bull#1~1', { attempt: 2 }), input);
    expect(output.usage).toMatchObject({ costMicroUsd: null, atMostMicroUsd: 250, atMostTokens: 250 });
    const lines = (await shop.ledger.lines(KEY, accountLog('bull#1~1'))).map(readAccountEntry);
    expect(lines).toMatchObject([
      { kind: 'paid', unanswered: true, model: 'm', usage: { costMicroUsd: null, atMostMicroUsd: 150, atMostTokens: 150 } },
      { kind: 'paid', usage: { costMicroUsd: 100 } },
    ]);
  });
});
