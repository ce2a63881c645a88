import { agent } from '../../activities/agent/agent';
import type { AgentAdapter, AgentRequest } from '../../activities/agent-port';
import type { Tool } from '../../activities/tools/tool';
import type { ToolResult } from '../../plan/agents/tool';
import type { Json } from '../../plan/text/json';
import type { Turn } from '../../records/transcripts/turn';
import { noting } from './scripted-shop';
import { KEY, type Workshop, withAgent, workshop } from './workshop';

const ADDRESS = 'bull#1~1';

/** An adapter that works through its own calls, as one for a model would. */
function caller(run: (request: AgentRequest) => AsyncIterable<Turn>): AgentAdapter {
  return { name: 'fake', run };
}

async function open(adapter: AgentAdapter, tools: Record<string, Tool>, categories: Json = {}): Promise<Workshop> {
  const shop = workshop({ ...withAgent(adapter), tools });
  const definition = await shop.blob({ id: 'bull', role: 'r', categories });
  await shop.open([{ id: 'bull', kind: 'agent', agent: 'bull' }], { agents: { bull: { definition } } });
  return shop;
}

describe('the tools that an adapter is given', () => {
  test('record a call even if the adapter says nothing about it', async () => {
    const results: ToolResult[] = [];
    const adapter = caller(async function* ({ tools }) {
      const result = await tools?.call({ id: 'a', tool: 'note', args: {} });
      if (result) results.push(result);
      yield { role: 'assistant', text: 'done' };
    });
    const shop = await open(adapter, { note: noting() });
    await agent(shop.toolbox, shop.call(ADDRESS), { run: KEY.run });
    expect(results).toEqual([{ text: 'done' }]);
    const turns = (await shop.ledger.lines(KEY, `${ADDRESS}/transcript`)) as { turn?: Turn }[];
    expect(turns.flatMap(({ turn }) => turn?.role ?? [])).toEqual(['user', 'assistant', 'tool', 'assistant']);
  });

  test('are called one after the other', async () => {
    const events: string[] = [];
    const slow: Tool = {
      ...{ description: 'slow', parameters: {} },
      async call({ n }) {
        events.push(`begin ${n}`);
        await new Promise(setImmediate);
        events.push(`end ${n}`);
        return { text: 'ok' };
      },
    };
    const adapter = caller(async function* ({ tools }) {
      await Promise.all([1, 2].map((n) => tools?.call({ id: `${n}`, tool: 'slow', args: { n } })));
      yield { role: 'assistant', text: 'done' };
    });
    const shop = await open(adapter, { slow });
    await agent(shop.toolbox, shop.call(ADDRESS), { run: KEY.run });
    expect(events).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2']);
  });

  test('pause the try even if the adapter swallows the rejection', async () => {
    const adapter = caller(async function* ({ tools }) {
      await tools?.call({ id: 'a', tool: 'note', args: {} }).catch(() => undefined);
      yield { role: 'assistant', text: 'never mind' };
    });
    const shop = await open(adapter, { note: noting() }, { deploy: ['note'] });
    const output = await agent(shop.toolbox, shop.call(ADDRESS), { run: KEY.run });
    expect(output.paused).toMatchObject({ kind: 'approval', need: { category: 'deploy' } });
    expect(JSON.stringify(await shop.ledger.lines(KEY, `${ADDRESS}/transcript`))).not.toContain('never mind');
  });

  test('return a recorded result without another call', async () => {
    const note = noting();
    let asked = 0;
    const adapter = caller(async function* ({ tools }) {
      await tools?.call({ id: 'a', tool: 'note', args: {} });
      asked += 1;
      if (asked === 1) throw new Error('killed');
      yield { role: 'assistant', text: 'done' };
    });
    const shop = await open(adapter, { note });
    await expect(agent(shop.toolbox, shop.call(ADDRESS), { run: KEY.run })).rejects.toThrow('killed');
    await agent(shop.toolbox, shop.call(ADDRESS), { run: KEY.run });
    expect(note.called).toHaveLength(1);
  });

  test('take no partial text for the reply if a call comes after it', async () => {
    let asked = 0;
    const adapter = caller(async function* () {
      asked += 1;
      yield { role: 'assistant', text: asked === 1 ? 'let me look' : 'the answer' };
      if (asked > 1) return;
      yield { role: 'assistant', text: '', calls: [{ id: 'a', tool: 'note', args: {} }] };
      throw new Error('killed');
    });
    const shop = await open(adapter, { note: noting() });
    await expect(agent(shop.toolbox, shop.call(ADDRESS), { run: KEY.run })).rejects.toThrow('killed');
    const { artifact } = await agent(shop.toolbox, shop.call(ADDRESS), { run: KEY.run });
    expect((await shop.artifacts.get(artifact!)).toString()).toBe('the answer');
  });
});
