import { agent } from '../../activities/agent/agent';
import { failureOf, fakeAgent, KEY, withAgent, workshop } from './workshop';

test('an agent whose program cannot be given the servers of tools that it lists is not asked', async () => {
  const adapter = { ...fakeAgent(() => [{ role: 'assistant', text: 'done' }]), ownTools: true } as const;
  const shop = workshop(withAgent(adapter));
  const definition = await shop.blob({ id: 'bull', role: 'You make the bull case.', tools: ['read_file', 'mcp__docs__search'] });
  await shop.open([{ id: 'bull', kind: 'agent', agent: 'bull' }], { agents: { bull: { definition } } });
  const failure = await failureOf(agent(shop.toolbox, shop.call('bull#1~1'), { run: KEY.run }));
  expect(failure).toMatchObject({ code: 'tool.failed', details: { agent: 'bull', tools: ['mcp__docs__search'] } });
  expect(adapter.requests).toEqual([]);
});
