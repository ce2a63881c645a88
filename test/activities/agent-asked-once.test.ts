import { agent } from '../../activities/agent/agent';
import { idempotencyKey } from '../../activities/agent/idempotency-key';
import type { Json } from '../../plan/text/json';
import { ADDRESS, briefStep, GOOD_TEXT, INPUT } from './brief-step';
import { aroundLines, fakeAgent, KEY, type Workshop, withAgent, workshop } from './workshop';

async function requestsOf(shop: Workshop): Promise<Json[]> {
  return await shop.ledger.lines(KEY, `${ADDRESS}/requests`);
}

describe('a try whose worker was killed', () => {
  test('asks nothing again once the result is recorded', async () => {
    const adapter = fakeAgent(() => GOOD_TEXT);
    const shop = workshop(withAgent(adapter));
    await shop.open([await briefStep(shop)]);
    const first = await agent(shop.toolbox, shop.call(ADDRESS), INPUT);
    const second = await agent(shop.toolbox, shop.call(ADDRESS, { attempt: 2 }), INPUT);
    expect(second).toEqual(first);
    expect(adapter.requests).toHaveLength(1);
  });

  test('uses a recorded reply if the result was lost before it was recorded', async () => {
    const adapter = fakeAgent(() => GOOD_TEXT);
    const shop = workshop(withAgent(adapter));
    await shop.open([await briefStep(shop)]);
    const dying = { ...shop.toolbox, ledger: failingOn(shop, 'putIfAbsent') };
    await expect(agent(dying, shop.call(ADDRESS), INPUT)).rejects.toThrow('killed');
    await agent(shop.toolbox, shop.call(ADDRESS, { attempt: 2 }), INPUT);
    expect(adapter.requests).toHaveLength(1);
    expect(await requestsOf(shop)).toHaveLength(1);
  });

  test('repeats a request that was in flight, with the same idempotency key', async () => {
    let calls = 0;
    const adapter = fakeAgent(() => {
      calls += 1;
      if (calls === 1) throw new Error('killed');
      return GOOD_TEXT;
    });
    const shop = workshop(withAgent(adapter));
    await shop.open([await briefStep(shop)]);
    await expect(agent(shop.toolbox, shop.call(ADDRESS), INPUT)).rejects.toThrow('killed');
    await agent(shop.toolbox, shop.call(ADDRESS, { attempt: 2 }), INPUT);
    const key = idempotencyKey(shop.call(ADDRESS), 1);
    expect(adapter.requests.map((request) => request.idempotencyKey)).toEqual([key, key]);
    expect(await requestsOf(shop)).toEqual([
      { ask: 1, idempotencyKey: key, attempt: 1 },
      { ask: 1, idempotencyKey: key, attempt: 2 },
    ]);
  });

  test('makes no request that the ledger did not take', async () => {
    const adapter = fakeAgent(() => GOOD_TEXT);
    const shop = workshop(withAgent(adapter));
    await shop.open([await briefStep(shop)]);
    const full = { ...shop.toolbox, ledger: failingOn(shop, 'append') };
    await expect(agent(full, shop.call(ADDRESS), INPUT)).rejects.toThrow('killed');
    expect(adapter.requests).toHaveLength(0);
  });

  test('goes on from the turns of an unfinished reply', async () => {
    const adapter = fakeAgent(() => GOOD_TEXT);
    const shop = workshop(withAgent(adapter));
    await shop.open([await briefStep(shop)]);
    await shop.ledger.append(KEY, `${ADDRESS}/transcript`, { ask: 1, turn: { role: 'user', text: 'the task' } });
    await shop.ledger.append(KEY, `${ADDRESS}/transcript`, { ask: 1, turn: { role: 'assistant', text: 'let me look' } });
    await shop.ledger.append(KEY, `${ADDRESS}/transcript`, { ask: 1, turn: { role: 'tool', text: 'found' } });
    await agent(shop.toolbox, shop.call(ADDRESS), INPUT);
    expect(adapter.requests[0]?.transcript().map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
  });

  test('does not repeat a request whose bad reply is recorded', async () => {
    let killed = false;
    const adapter = fakeAgent(({ ask }) => {
      if (ask === 1) return 'not JSON';
      if (killed) return GOOD_TEXT;
      killed = true;
      throw new Error('killed');
    });
    const shop = workshop(withAgent(adapter));
    await shop.open([await briefStep(shop)]);
    await expect(agent(shop.toolbox, shop.call(ADDRESS), INPUT)).rejects.toThrow('killed');
    await agent(shop.toolbox, shop.call(ADDRESS), INPUT);
    expect(adapter.requests.map(({ ask }) => ask)).toEqual([1, 2, 2]);
  });
});

/** The shop's ledger, broken at one place. */
function failingOn(shop: Workshop, method: 'append' | 'putIfAbsent'): Workshop['toolbox']['ledger'] {
  const { ledger } = shop;
  return {
    ...aroundLines(ledger, async (_, write) => (method === 'append' ? killed() : await write())),
    putIfAbsent: async (run, name, value) => (method === 'putIfAbsent' ? killed() : await ledger.putIfAbsent(run, name, value)),
  };
}

function killed(): never {
  throw new Error('killed');
}
