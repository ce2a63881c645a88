import type { Tool } from '../../activities/tools/tool';
import type { AgentDefinition } from '../../plan/plan';
import { ThermidorFailure } from '../../plan/run/failure';
import type { Json } from '../../plan/text/json';
import { calls, dyingAfter, LEAD, noting, scriptedShop, text } from './scripted-shop';
import { KEY } from './workshop';

const NUMBERS: Json = { type: 'object', required: ['n'], additionalProperties: false, properties: { n: { type: 'integer' } } };

describe('a tool of an agent', () => {
  test('is called with what the agent says, and its result is a turn of the transcript', async () => {
    const note = noting();
    const shop = await scriptedShop({ toolbox: { tools: { note } }, replies: { lead: [text('done', calls(['note', { n: 1 }]))] } });
    const output = await shop.perform();
    expect(note.called).toEqual([{ n: 1 }]);
    expect(output).toMatchObject({ toolCalls: 1 });
    const call = { id: 'call-1', tool: 'note', args: { n: 1 } };
    expect(await shop.transcript()).toMatchObject([
      { system: expect.stringContaining('You are lead.') },
      { ask: 1, turn: { role: 'user' } },
      { ask: 1, turn: { role: 'assistant', calls: [call] } },
      { ask: 1, turn: { role: 'tool', text: 'done', call } },
      { ask: 1, turn: { role: 'assistant', text: 'done' } },
      { ask: 1, end: true },
    ]);
  });

  test('is shown to the agent, with its schema', async () => {
    const shop = await scriptedShop({
      toolbox: { tools: { note: noting(NUMBERS) } },
      lead: { tools: ['note'] },
      replies: { lead: [text('done')] },
    });
    await shop.perform();
    expect(shop.requests[0]?.tools?.specs.filter(({ name }) => name === 'note')).toEqual([
      { name: 'note', description: 'notes', parameters: NUMBERS },
    ]);
  });

  test('is there with the skills it reads, whatever agent and step list', async () => {
    const skills = [{ name: 'tape', description: 'reads the tape', files: {} }];
    const names = async (lead: Partial<AgentDefinition>) => {
      const shop = await scriptedShop({
        toolbox: { tools: { note: noting() } },
        lead,
        step: { tools: ['note'] },
        replies: { lead: [text('done')] },
      });
      await shop.perform();
      return shop.requests[0]?.tools?.specs.map(({ name }) => name);
    };
    expect(await names({ tools: ['note'], skills })).toEqual(['escalate', 'notify', 'load_skill', 'note']);
    expect(await names({ tools: ['note'] })).toEqual(['escalate', 'notify', 'note']);
  });

  test('is not called again once its result is recorded', async () => {
    const note = noting();
    const shop = await scriptedShop({
      toolbox: { tools: { note } },
      replies: { lead: [text('done', calls(['note', { n: 1 }], ['note', { n: 2 }]))] },
    });
    // The request, who the agent is, the prompt, a call, its result, a call.
    await expect(shop.perform({}, LEAD, dyingAfter(shop, 6))).rejects.toThrow('killed');
    expect(note.called).toEqual([{ n: 1 }]);
    await shop.perform();
    expect(note.called).toEqual([{ n: 1 }, { n: 2 }]);
  });

  test('is called with the same key if its result was lost', async () => {
    const note = noting();
    let lost = false;
    const losing: Tool = {
      ...note,
      async call(args, use) {
        const said = await note.call(args, use);
        if (lost) return said;
        lost = true;
        throw new Error('killed');
      },
    };
    const shop = await scriptedShop({ toolbox: { tools: { note: losing } }, replies: { lead: [text('done', calls(['note', {}]))] } });
    await expect(shop.perform()).rejects.toThrow('killed');
    await shop.perform();
    expect(note.keys).toEqual([`${KEY.workflowId}/${KEY.run}/${LEAD}/1/call-1`, `${KEY.workflowId}/${KEY.run}/${LEAD}/1/call-1`]);
  });

  test.each<[string, string, Json]>([
    ['one that there is not', 'fly', {}],
    ['one that a prototype has', 'constructor', {}],
    ['wrong arguments', 'note', { n: 'one' }],
    ['arguments missing', 'note', {}],
    ['arguments that are no object', 'note', [1]],
    ['one that the agent does not have', 'other', {}],
    ['one that the step does not have', 'third', {}],
  ])('is refused in words, and the agent goes on: %s', async (_, tool, args) => {
    const [note, other, third] = [noting(NUMBERS), noting(), noting()];
    const shop = await scriptedShop({
      ...{ toolbox: { tools: { note, other, third } }, lead: { tools: ['note', 'third', 'fly'] }, step: { tools: ['note', 'other'] } },
      replies: { lead: [text('done', calls([tool, args]))] },
    });
    const output = await shop.perform();
    expect([note.called, other.called, third.called]).toEqual([[], [], []]);
    expect(output.paused).toBeUndefined();
    const [reason] = await shop.answers();
    expect(output.journal).toEqual([{ kind: 'tool', step: 'lead', tool, outcome: 'refused', reason, at: expect.any(String) }]);
  });

  test('fails without harm to the step: the agent is informed', async () => {
    const broken = { ...noting(), call: () => Promise.reject(new ThermidorFailure('command.failed', 'exit 1')) };
    const shop = await scriptedShop({ toolbox: { tools: { broken } }, replies: { lead: [text('done', calls(['broken', {}]))] } });
    await shop.perform();
    expect((await shop.answers()).map((said) => JSON.parse(said) as Json)).toEqual([
      { error: { code: 'command.failed', message: 'exit 1' } },
    ]);
  });

  test('pauses over the limit of calls, and goes on with the same call', async () => {
    const note = noting();
    const shop = await scriptedShop({
      toolbox: { tools: { note } },
      replies: { lead: [text('done', calls(['note', { n: 1 }], ['note', { n: 2 }]))] },
    });
    expect((await shop.perform({ budget: { toolCalls: 1 } })).paused).toEqual({ kind: 'budget', short: { kind: 'toolCalls', needed: 2 } });
    expect(note.called).toEqual([{ n: 1 }]);
    expect(await shop.perform({ budget: { toolCalls: 2 } })).toMatchObject({ toolCalls: 2 });
    expect(note.called).toEqual([{ n: 1 }, { n: 2 }]);
  });

  test('gets no secret of the run, and neither does the journal', async () => {
    const note = noting();
    const shop = await scriptedShop({
      ...{ plan: { args: { key: { secret: true } } }, args: { key: 'secret://env/KEY' } },
      toolbox: { tools: { note }, secrets: { resolve: async () => 'hunter22' } },
      replies: { lead: [text('done', calls(['note', { n: 'it is hunter22' }], ['hunter22', {}]))] },
    });
    const output = await shop.perform();
    expect(note.called).toEqual([{ n: 'it is ***' }]);
    expect(JSON.stringify([output, await shop.transcript()])).not.toContain('hunter22');
  });
});
