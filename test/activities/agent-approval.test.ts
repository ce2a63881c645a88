import { agent } from '../../activities/agent/agent';
import type { AgentAdapter } from '../../activities/agent-port';
import { contentDigest } from '../../activities/gates/content-digest';
import type { ToolServer, ToolServers } from '../../activities/ports';
import type { ScriptedReply } from '../../plan/agents/script';
import type { RecordedApproval } from '../../plan/people/category';
import type { ThermidorFailure } from '../../plan/run/failure';
import type { Json } from '../../plan/text/json';
import { calls, dyingAfter, LEAD, noting, type ScriptedShop, scriptedShop, text } from './scripted-shop';
import { codeOf, failureOf, KEY, withAgent, workshop } from './workshop';

const PAY: [string, Json] = ['transfer', { to: 'x', amount: 5 }];
const SHA = contentDigest({ tool: 'transfer', args: { amount: 5, to: 'x' } }).sha256;
const YES: RecordedApproval = { id: 'lead#1~1/approval-1', category: 'move_money', contentSha256: SHA, approved: true, by: 'chairman' };

async function bank(...replies: ScriptedReply[]): Promise<ScriptedShop & { transfer: ReturnType<typeof noting> }> {
  const transfer = noting();
  const shop = await scriptedShop({
    ...{ lead: { categories: { move_money: ['transfer', 'wire'] } }, toolbox: { tools: { transfer } } },
    replies: { lead: replies },
  });
  return { ...shop, transfer };
}

describe('point 9: a tool in a category', () => {
  test('waits for a person’s yes to exactly what it would do', async () => {
    const shop = await bank(text('done', calls(PAY)));
    const { paused } = await shop.perform();
    expect(paused).toMatchObject({
      kind: 'approval',
      need: { category: 'move_money', summary: 'transfer {"to":"x","amount":5}', contentSha256: SHA, content: { sha256: SHA } },
    });
    expect(shop.transfer.called).toEqual([]);
    expect((await shop.artifacts.get({ sha256: SHA })).toString()).toBe('{"args":{"amount":5,"to":"x"},"tool":"transfer"}');
  });

  test('is called with the yes, once, and the use is journalled', async () => {
    const shop = await bank(text('done', calls(PAY)));
    await shop.perform();
    const output = await shop.perform({ approvals: [YES] });
    expect(shop.transfer.called).toEqual([{ to: 'x', amount: 5 }]);
    expect(output.journal).toEqual([
      {
        kind: 'approval',
        step: 'lead',
        event: 'used',
        category: 'move_money',
        contentSha256: SHA,
        id: YES.id,
        by: 'chairman',
        at: expect.any(String),
      },
    ]);
    expect(await shop.ledger.get(KEY, `approval-used/${YES.id}`)).toEqual({ address: LEAD, call: '1/call-1' });
  });

  test('is refused if its approval was used by another call', async () => {
    const shop = await bank(text('done', calls(PAY, PAY)));
    const output = await shop.perform({ approvals: [YES] });
    expect(shop.transfer.called).toHaveLength(1);
    expect(output.journal).toMatchObject([{ event: 'used' }, { kind: 'tool', tool: 'transfer', outcome: 'refused' }]);
  });

  test('takes another approval for the same again', async () => {
    const shop = await bank(text('done', calls(PAY, PAY)));
    await shop.perform({ approvals: [YES, { ...YES, id: 'lead#1~1/approval-2' }] });
    expect(shop.transfer.called).toHaveLength(2);
  });

  test('is not called again if its worker was lost while it was at work: it may have been done, and one yes is for one action', async () => {
    const shop = await bank(text('done', calls(PAY)));
    // The request, the system, the prompt, the call, the use of the approval, and that it begins.
    await expect(shop.perform({ approvals: [YES] }, LEAD, dyingAfter(shop, 6))).rejects.toThrow('killed');
    expect(await codeOf(shop.perform({ approvals: [YES] }))).toBe('action.unknown');
    expect(shop.transfer.called).toEqual([]);
  });

  test('uses its approval again after a crash before it began, and no second one', async () => {
    const shop = await bank(text('done', calls(PAY)));
    // All of these but the last.
    await expect(shop.perform({ approvals: [YES] }, LEAD, dyingAfter(shop, 5))).rejects.toThrow('killed');
    const output = await shop.perform({ approvals: [YES] });
    expect(output.journal).toMatchObject([{ event: 'used' }]);
    expect(shop.transfer.called).toHaveLength(1);
  });

  test('is never made twice, whatever record its worker is lost after: what may have been done is for a person to find out', async () => {
    const ends: string[] = [];
    for (let records = 1; records <= 9; records++) {
      const shop = await bank(text('done', calls(PAY)));
      const died = await shop.perform({ approvals: [YES] }, LEAD, dyingAfter(shop, records)).catch((error: Error) => error.message);
      const again = died === 'killed' ? shop.perform({ approvals: [YES] }).then(() => 'done') : Promise.resolve('done');
      ends.push(await again.catch((error: ThermidorFailure) => error.code));
      expect(shop.transfer.called.length).toBeLessThanOrEqual(1);
      if (ends.at(-1) === 'done') expect(shop.transfer.called).toHaveLength(1);
    }
    expect(new Set(ends)).toEqual(new Set(['done', 'action.unknown']));
    expect(ends.at(-1)).toBe('done');
  });

  test('of a tool server is not called again by the worker that follows one that was lost in it', async () => {
    const [name, args] = ['mcp__bank__pay', { amount: 5 }];
    const calls: string[] = [];
    const bankServer = (call: ToolServer['call']): ToolServers => ({
      names: ['bank'],
      open: async () => ({
        ...{ tools: [{ name: 'pay', description: 'pays', parameters: { type: 'object' } }], names: ['pay'], call },
        sync: async () => undefined,
        close: async () => undefined,
      }),
    });
    const payer: AgentAdapter = {
      name: 'fake',
      async *run({ tools }) {
        const { text: said } = (await tools?.call({ id: 'call-1', tool: name, args })) ?? { text: 'nothing' };
        yield { role: 'assistant', text: said };
      },
    };
    const shop = workshop({ ...withAgent(payer), workFolder: async () => '/' });
    const definition = await shop.blob({ id: 'bull', role: 'You pay.', tools: [name], categories: { move_money: [name] } });
    await shop.open([{ id: 'pay', kind: 'agent', agent: 'bull' }], { agents: { bull: { definition } } });
    const { sha256 } = contentDigest({ tool: name, args });
    const perform = (toolServers: ToolServers) =>
      agent({ ...shop.toolbox, toolServers }, shop.call('pay#1~1'), { run: KEY.run, approvals: [{ ...YES, contentSha256: sha256 }] });
    const lost = bankServer(async () => {
      calls.push('pay');
      throw new Error('killed');
    });
    await expect(perform(lost)).rejects.toThrow('killed');
    const failure = await failureOf(perform(bankServer(async () => ({ text: calls.push('pay again').toString() }))));
    expect(failure).toMatchObject({ code: 'action.unknown', details: { step: 'pay', category: 'move_money', tool: name } });
    expect(calls).toEqual(['pay']);
  });

  test('wants a new one if the arguments have changed', async () => {
    const shop = await bank(text('done', calls(['transfer', { to: 'x', amount: 6 }])));
    expect((await shop.perform({ approvals: [YES] })).paused).toMatchObject({ kind: 'approval' });
    expect(shop.transfer.called).toEqual([]);
  });

  test('wants one of its own category', async () => {
    const shop = await bank(text('done', calls(PAY)));
    expect((await shop.perform({ approvals: [{ ...YES, category: 'deploy' }] })).paused).toMatchObject({ kind: 'approval' });
  });

  test('is not called after a no: the agent reads who refused, and why', async () => {
    const shop = await bank(text('done', calls(PAY)));
    const output = await shop.perform({ approvals: [{ ...YES, approved: false, comment: 'too much' }] });
    expect(shop.transfer.called).toEqual([]);
    expect(await shop.answers()).toEqual(['chairman refused it: too much']);
    expect(output.artifact).toBeDefined();
  });

  test.each<[string, [string, Json]]>([
    ['is not there', ['wire', { amount: 5 }]],
    ['has wrong arguments', ['transfer', 5]],
  ])('asks nobody where the tool %s', async (_, call) => {
    const shop = await bank(text('done', calls(call)));
    const output = await shop.perform();
    expect(output.paused).toBeUndefined();
    expect(output.journal).toMatchObject([{ kind: 'tool', tool: call[0], outcome: 'refused' }]);
  });
});
