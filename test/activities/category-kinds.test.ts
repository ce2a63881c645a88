import { agent } from '../../activities/agent/agent';
import type { ChannelMessage } from '../../activities/channel-port';
import { childInput } from '../../activities/containers/child-input';
import { notify } from '../../activities/gates/notify';
import { stages } from '../../activities/stages/stages-activity';
import { IR_VERSION } from '../../plan/plan';
import type { Step } from '../../plan/steps/step';
import { INPUT, shopWithShell, shown, yes } from './category-step';
import { codeOf, fakeAgent, KEY, withAgent, workshop } from './workshop';

describe('every other kind of step of a category', () => {
  test('a message goes out with an approval alone, of this text to this channel', async () => {
    const sent: ChannelMessage[] = [];
    const shop = workshop({
      channelAdapters: [{ name: 'fake', serves: () => true, deliver: async (message) => void sent.push(message) }],
    });
    const step: Step = { id: 'tell', kind: 'notify', category: 'deploy', channel: '#outside', message: ['we ship'] };
    await shop.open([step]);
    const { question, contentSha256 } = await shown(shop, 'tell', INPUT);
    expect(question).toContain('#outside');
    const input = { ...INPUT, channel: '#outside' };
    expect(await codeOf(notify(shop.toolbox, shop.call('tell#1~1'), input))).toBe('approval.missing');
    expect(sent).toHaveLength(0);
    await notify(shop.toolbox, shop.call('tell#1~1'), { ...input, approvals: [yes(contentSha256)] });
    expect(sent).toHaveLength(1);
  });

  test('what the run itself says of such a step needs none', async () => {
    const sent: ChannelMessage[] = [];
    const shop = workshop({
      channelAdapters: [{ name: 'fake', serves: () => true, deliver: async (message) => void sent.push(message) }],
    });
    await shop.open([{ id: 'tell', kind: 'notify', category: 'deploy', channel: '#outside', message: ['we ship'] }]);
    await notify(shop.toolbox, shop.call('tell#1~1/notify-1'), { ...INPUT, channel: '#errors', message: 'it failed' });
    expect(sent).toHaveLength(1);
  });

  test('a child pipeline starts with an approval alone, of this pipeline with these args', async () => {
    const shop = workshop();
    const child = {
      irVersion: IR_VERSION,
      name: 'other',
      source: '0'.repeat(64),
      trigger: { kind: 'manual' },
      block: { order: 'sequence', steps: [] },
    };
    const plan = await shop.blob({ ...child, args: { n: {} } });
    const step: Step = { id: 'child', kind: 'pipeline', category: 'deploy', pipeline: 'other', plan, with: await shop.blob({ n: ['7'] }) };
    await shop.open([step]);
    const { question, contentSha256 } = await shown(shop, 'child', INPUT);
    expect(question).toContain('other');
    expect(await codeOf(childInput(shop.toolbox, shop.call('child#1~1/input'), INPUT))).toBe('approval.missing');
    const { workflowId } = await childInput(shop.toolbox, shop.call('child#1~1/input'), { ...INPUT, approvals: [yes(contentSha256)] });
    expect(await shop.ledger.get(KEY, `child/${workflowId}`)).toMatchObject({ args: { n: '7' } });
  });

  test('a pipe runs with an approval alone, of these stages', async () => {
    const { shop, ran } = shopWithShell();
    const exec = { name: 'exec' as const, words: [['deploy'], ['now']], flags: {} };
    await shop.open([{ id: 'pipe', kind: 'stages', category: 'deploy', stages: [exec] }]);
    const { question, contentSha256 } = await shown(shop, 'pipe', INPUT);
    expect(question).toContain('exec deploy now');
    expect(await codeOf(stages(shop.toolbox, shop.call('pipe#1~1'), INPUT))).toBe('approval.missing');
    expect(ran).toHaveLength(0);
    await stages(shop.toolbox, shop.call('pipe#1~1'), { ...INPUT, approvals: [yes(contentSha256)] });
    expect(ran).toHaveLength(1);
  });

  test('an agent is asked with an approval alone, of this agent with this task; a message to it changes nothing', async () => {
    const adapter = fakeAgent(() => 'done');
    const shop = workshop(withAgent(adapter));
    await shop.open([{ id: 'ship', kind: 'agent', agent: 'bull', category: 'deploy' }]);
    const { contentSha256 } = await shown(shop, 'ship', INPUT);
    const messages = [{ from: 'chairman', content: 'hurry', at: '2026-11-21T07:30:00.000Z' }];
    expect(await codeOf(agent(shop.toolbox, shop.call('ship#1~1'), INPUT))).toBe('approval.missing');
    expect(adapter.requests).toHaveLength(0);
    await agent(shop.toolbox, shop.call('ship#1~1'), { ...INPUT, messages, approvals: [yes(contentSha256)] });
    expect(adapter.requests).toHaveLength(1);
  });
});
