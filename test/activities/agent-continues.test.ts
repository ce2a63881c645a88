import { agent } from '../../activities/agent/agent';
import type { AgentAdapter, AgentRequest } from '../../activities/agent-port';
import { ThermidorFailure } from '../../plan/run/failure';
import type { StepInput } from '../../plan/steps/step-activity';
import type { Turn } from '../../records/transcripts/turn';
import { noting } from './scripted-shop';
import { aroundLines, failureOf, fakeAgent, KEY, type Workshop, withAgent, workshop } from './workshop';

const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroUsd: 10 };
const call = { id: 'c1', tool: 'note', args: { n: 1 } };

/** Calls a tool, loses its connection where the test says so, and answers. Each reply costs money. */
function model(breaks: () => boolean): AgentAdapter & { paid: number; prompts: string[] } {
  const adapter = {
    ...{ name: 'fake', paid: 0, prompts: [] as string[] },
    async *run({ transcript, tools, prompt }: AgentRequest): AsyncIterable<Turn> {
      adapter.prompts.push(prompt);
      const pay = (turn: Turn): Turn => {
        adapter.paid += 1;
        return { ...turn, usage };
      };
      if (!transcript().some(({ calls }) => calls)) yield pay({ role: 'assistant', text: '', calls: [call] });
      await tools?.call(call);
      if (breaks()) {
        yield pay({ role: 'assistant', text: '', stop: 'broken' });
        throw new ThermidorFailure('model.api-error', 'cut off');
      }
      yield pay({ role: 'assistant', text: 'done' });
    },
  };
  return adapter;
}

async function open(
  adapter: AgentAdapter,
): Promise<{ shop: Workshop; note: ReturnType<typeof noting>; work(id: string, more?: Partial<StepInput>): ReturnType<typeof agent> }> {
  const note = noting();
  const shop = workshop({ ...withAgent(adapter), tools: { note } });
  await shop.open([{ id: 'bull', kind: 'agent', agent: 'bull' }]);
  return { shop, note, work: (id, more = {}) => agent(shop.toolbox, shop.call(id), { run: KEY.run, ...more }) };
}

const note: StepInput['note'] = { reason: 'api_error', message: 'cut off' };

describe('a new try after an error of the model’s API', () => {
  test('goes on from the turns of the one before: neither reply nor tool call is made again', async () => {
    let left = 1;
    const adapter = model(() => left-- > 0);
    const { work, note: tool } = await open(adapter);
    const failure = await failureOf(work('bull#1~1'));
    expect(failure).toMatchObject({ code: 'model.api-error', work: { usage: { costMicroUsd: 20 } } });
    const output = await work('bull#1~2', { note });
    expect(adapter.paid).toBe(3);
    expect(tool.called).toEqual([{ n: 1 }]);
    // What the first attempt reported is charged there.
    expect(output.usage).toMatchObject({ costMicroUsd: 10 });
    expect(adapter.prompts[1]).toBe(adapter.prompts[0]);
  });

  test('goes on also from one that had gone on itself, and after a crash of its own', async () => {
    let left = 2;
    const adapter = model(() => left-- > 0);
    const { work, note: tool, shop } = await open(adapter);
    await failureOf(work('bull#1~1'));
    await failureOf(work('bull#1~2', { note }));
    const silent = { ...shop.toolbox, adapters: new Map([['fake', dead]]) };
    await expect(agent(silent, shop.call('bull#1~3'), { run: KEY.run, note })).rejects.toThrow('killed');
    await work('bull#1~3', { note });
    expect(adapter.paid).toBe(4);
    expect(tool.called).toHaveLength(1);
  });

  test('asks in its own words if nothing was paid for', async () => {
    const adapter = model(() => false);
    const { work, shop } = await open(adapter);
    const away: AgentAdapter = {
      name: 'fake',
      run: () => {
        throw new ThermidorFailure('model.api-error', '502');
      },
    };
    await failureOf(agent({ ...shop.toolbox, adapters: new Map([['fake', away]]) }, shop.call('bull#1~1'), { run: KEY.run }));
    await work('bull#1~2', { note });
    expect(adapter.prompts[0]).toContain('cut off');
  });
});

test('a new try for any other reason begins again', async () => {
  let left = 1;
  const adapter = model(() => left-- > 0);
  const { work, note: tool } = await open(adapter);
  await failureOf(work('bull#1~1'));
  await work('bull#1~2', { note: { reason: 'operator', message: 'again' } });
  expect(adapter.paid).toBe(4);
  expect(tool.called).toHaveLength(2);
});

const dead: AgentAdapter = {
  name: 'fake',
  run: () => {
    throw new Error('killed');
  },
};

describe('a reply that was said in parts', () => {
  const parts: Turn[] = [
    { role: 'assistant', text: 'Let me see.', stop: 'aside' },
    { role: 'assistant', text: '{"fig', stop: 'goes-on', model: 'm', usage },
    { role: 'assistant', text: '', stop: 'broken' },
    { role: 'assistant', text: 'ure": 4', stop: 'goes-on' },
    { role: 'assistant', text: '2}' },
  ];

  test('is the parts together, without what was said on the way', async () => {
    const shop = workshop(withAgent(fakeAgent(() => parts)));
    await shop.open([{ id: 'bull', kind: 'agent', agent: 'bull', output: { name: 'A.json' } }]);
    const { artifact } = await agent(shop.toolbox, shop.call('bull#1~1'), { run: KEY.run });
    expect(artifact && (await shop.artifacts.get(artifact)).toString()).toBe('{"figure": 42}');
  });

  test('is read so from the record, too, if a crash came after its last part', async () => {
    const bull = fakeAgent(() => parts);
    const shop = workshop(withAgent(bull));
    await shop.open([{ id: 'bull', kind: 'agent', agent: 'bull', output: { name: 'A.json' } }]);
    let crashes = 1;
    shop.toolbox.ledger = aroundLines(shop.ledger, async (line, write) => {
      if (JSON.stringify(line).includes('"end":true') && crashes-- > 0) throw new Error('killed');
      await write();
    });
    await expect(agent(shop.toolbox, shop.call('bull#1~1'), { run: KEY.run })).rejects.toThrow('killed');
    const { artifact } = await agent(shop.toolbox, shop.call('bull#1~1', { attempt: 2 }), { run: KEY.run });
    expect(artifact && (await shop.artifacts.get(artifact)).toString()).toBe('{"figure": 42}');
    expect(bull.requests).toHaveLength(1);
  });
});
