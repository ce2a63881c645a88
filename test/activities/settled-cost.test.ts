import { agent } from '../../activities/agent';
import type { Turn } from '../../activities/agent-port';
import { fakeAgent, KEY, withAgent, workshop } from './workshop';

const usage = (costMicroUsd: number | null, settles?: number) => ({
  ...{ inputTokens: 3, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroUsd },
  ...(settles === undefined ? {} : { settles }),
});

const call = (id: string): Turn[] => {
  const made = { id, tool: 'read_file', args: {} };
  return [
    { role: 'assistant', text: '', model: 'nameless', calls: [made], usage: usage(null) },
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

test('a cost that is told at the end stands for what was said before it', async () => {
  expect(await costOf(...call('a'), ...call('b'), { role: 'assistant', text: 'done', usage: usage(900, 2) })).toBe(900);
});

test('and for nothing else: what was said before that is as unknown as it was', async () => {
  expect(await costOf(...call('a'), ...call('b'), { role: 'assistant', text: 'done', usage: usage(900, 1) })).toBeNull();
});
