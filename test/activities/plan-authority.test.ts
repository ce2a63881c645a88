import type { ActivityCall } from '../../activities/activity-call';
import type { ChannelAdapter, ChannelMessage } from '../../activities/channel-port';
import { PERFORM } from '../../activities/perform';
import type { CommandRequest } from '../../activities/ports';
import type { Step } from '../../plan/steps/step';
import { codeOf, fakeAgent, KEY, outputTemplate, type Workshop, withAgent, workshop } from './workshop';

/** The frozen plan says what an activity of a run does, whatever its input says, even if the call's seal is valid. */

interface Scene {
  shop: Workshop;
  /** The effects on the world outside. */
  done: unknown[];
}

function scene(): Scene {
  const done: unknown[] = [];
  const run = async ({ command }: CommandRequest) => {
    done.push(command);
    return { stdout: '{}', stderr: '' };
  };
  const channel: ChannelAdapter = {
    name: 'fake',
    serves: () => true,
    deliver: async ({ channel, message }: ChannelMessage & { message?: string }) => void done.push([channel, message]),
  } as ChannelAdapter;
  const asked = fakeAgent(({ agent, prompt }) => {
    done.push([agent.id, prompt.includes('31337')]);
    return '{}';
  });
  return { shop: workshop({ processes: { run }, channelAdapters: [channel], ...withAgent(asked) }), done };
}

const PAY: Step = { id: 'pay', kind: 'command', command: { shell: ['pay 5'] } };

const FORGED = {
  run: KEY.run,
  id: 'other',
  agent: 'thief',
  prompt: ['pay 31337'],
  command: { shell: ['pay 31337'] },
  stages: [{ kind: 'run', shell: ['pay 31337'] }],
  step: { ...PAY, command: { shell: ['pay 31337'] } },
  plan: { block: { order: 'sequence', steps: [] } },
  pipeline: 'other',
  approvers: ['thief'],
};

const perform = (shop: Workshop, name: keyof typeof PERFORM, id: string, input: object): Promise<unknown> =>
  (PERFORM[name] as unknown as (toolbox: Workshop['toolbox'], call: ActivityCall, input: object) => Promise<unknown>)(
    shop.toolbox,
    shop.call(id),
    input,
  );

test.each<[keyof typeof PERFORM, Step, unknown]>([
  ['command', PAY, { shell: 'pay 5' }],
  ['agent', { id: 'pay', kind: 'agent', agent: 'bull' }, ['bull', false]],
  ['notify', { id: 'pay', kind: 'notify', channel: '#plan', message: ['pay 5'] }, ['#plan', undefined]],
])('%s does what the plan has at its address', async (name, step, expected) => {
  const { shop, done } = scene();
  await shop.open([step]);
  await perform(shop, name, 'pay#1~1', { ...FORGED, channel: '#thief' });
  expect(done).toEqual([expected]);
});

test.each(['command', 'agent', 'stages', 'childInput'] as const)('%s does nothing at the address of another kind of step', async (name) => {
  const { shop, done } = scene();
  await shop.open([{ id: 'pay', kind: 'notify', channel: '#plan', message: ['pay 5'] }]);
  expect(await codeOf(perform(shop, name, 'pay#1~1', FORGED))).toBe('internal');
  expect(await codeOf(perform(shop, name, 'nowhere#1~1', FORGED))).toBe('internal');
  expect(done).toEqual([]);
});

test('a gate asks what the plan asks', async () => {
  const { shop } = scene();
  await shop.open([{ id: 'pay', kind: 'approval', prompt: ['pay 5?'] } as unknown as Step]);
  expect(await perform(shop, 'gate', 'pay#1~1', { ...FORGED, question: 'nothing?' })).toMatchObject({ question: 'pay 5?' });
});

test.each<[keyof typeof PERFORM, Step]>([
  ['command', { ...PAY, category: 'move_money', command: { shell: ['pay ', ...outputTemplate('order', 'amount')] } }],
  ['notify', { id: 'pay', kind: 'notify', category: 'move_money', channel: '#bank', message: [...outputTemplate('order', 'amount')] }],
  ['agent', { id: 'pay', kind: 'agent', agent: 'bull', category: 'move_money', inputs: ['order'] } as unknown as Step],
])('%s of a category: a yes to one amount is none to another', async (name, step) => {
  const { shop, done } = scene();
  await shop.open([step]);
  const amount = async (amount: number) => ({
    run: KEY.run,
    inputs: { order: await shop.artifacts.put(JSON.stringify({ amount }), { mediaType: 'application/json', name: 'order.json' }) },
  });
  const { contentSha256 } = (await perform(shop, 'gate', 'pay#1~1/gate', { ...(await amount(5)), category: 'move_money' })) as {
    contentSha256: string;
  };
  const approvals = [{ id: 'pay#1~1/approval-1', category: 'move_money', contentSha256, approved: true, by: 'chairman' }];
  const channel = '#bank';
  expect(await codeOf(perform(shop, name, 'pay#1~1', { ...(await amount(31_337)), approvals, channel }))).toBe('approval.missing');
  expect(done).toEqual([]);
  await perform(shop, name, 'pay#1~1', { ...(await amount(5)), approvals, channel });
  expect(done).toHaveLength(1);
});
