import { agent } from '../../activities/agent/agent';
import type { ArtifactRef } from '../../plan/run/artifact';
import type { Step } from '../../plan/steps/step';
import { fakeAgent, KEY, type Workshop, withAgent, workshop } from './workshop';

const own = (id: string): Step => ({ id, kind: 'agent', agent: 'bull', action: 'self' });

/** An owner with four steps, who answers with the number of the request. */
async function owner(): Promise<{
  shop: Workshop;
  said: string[][];
  systems: string[];
  work(id: string, context?: ArtifactRef[]): Promise<ArtifactRef>;
}> {
  const said: string[][] = [];
  const systems: string[] = [];
  const adapter = fakeAgent(({ transcript, system }) => {
    systems.push(system);
    said.push(transcript().map(({ role, text }) => (role === 'user' ? (/"(\w+)"/.exec(text)?.[1] ?? '') : text)));
    return `reply ${said.length}`;
  });
  const shop = workshop(withAgent(adapter));
  await shop.open([own('a'), own('b'), own('c'), own('d')]);
  return {
    ...{ shop, said, systems },
    async work(id, context = []) {
      const output = await agent(shop.toolbox, shop.call(`${id}#1~1`), { run: KEY.run, context });
      if (!output.context) throw new Error(`"${id}" left no context`);
      return output.context;
    },
  };
}

describe('the owner, who has one context in a run', () => {
  test('goes on in what was said in its steps before', async () => {
    const { work, said, systems } = await owner();
    const first = await work('a');
    const second = await work('b', [first]);
    await work('c', [second]);
    expect(said).toEqual([['a'], ['a', 'reply 1', 'b'], ['a', 'reply 1', 'b', 'reply 2', 'c']]);
    expect(new Set(systems).size).toBe(1);
  });

  test('knows after steps that ran side by side what was said in each, and what both build on only once', async () => {
    const { work, said } = await owner();
    const first = await work('a');
    const [left, right] = [await work('b', [first]), await work('c', [first])];
    expect(said[2]).toEqual(['a', 'reply 1', 'c']);
    await work('d', [left, right]);
    expect(said[3]).toEqual(['a', 'reply 1', 'b', 'reply 2', 'c', 'reply 3', 'd']);
  });

  test('is charged for none of it again', async () => {
    const usage = { inputTokens: 5, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroUsd: 7 };
    const shop = workshop(withAgent(fakeAgent(() => [{ role: 'assistant', text: 'done', usage }])));
    await shop.open([own('a'), own('b')]);
    const first = await agent(shop.toolbox, shop.call('a#1~1'), { run: KEY.run, context: [] });
    const second = await agent(shop.toolbox, shop.call('b#1~1'), { run: KEY.run, context: [first.context!] });
    expect(second.usage).toEqual(usage);
  });

  test('gets the form of each answer with its task, and its role in the stable part of the context', async () => {
    const adapter = fakeAgent(() => '{"a": 1}');
    const shop = workshop(withAgent(adapter));
    await shop.open([{ id: 'a', kind: 'agent', agent: 'bull', action: 'self', output: { name: 'A.json' } }]);
    await agent(shop.toolbox, shop.call('a#1~1'), { run: KEY.run, context: [] });
    expect(adapter.requests[0]?.system).not.toContain('JSON');
    expect(adapter.requests[0]?.prompt).toContain('JSON');
  });
});

test('an agent with a fresh context leaves none', async () => {
  const shop = workshop(withAgent(fakeAgent(() => 'done')));
  await shop.open([{ id: 'a', kind: 'agent', agent: 'bull' }]);
  expect(await agent(shop.toolbox, shop.call('a#1~1'), { run: KEY.run })).not.toHaveProperty('context');
});
