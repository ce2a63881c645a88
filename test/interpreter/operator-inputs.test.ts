import { fails } from '../support/behaviours';
import { approval, command, held } from '../support/steps';
import { planOf, runPlan, type World } from '../support/world';
import { settle } from './carrying';

/** An operator replaces an input of a step behind gates that people have approved. */

const AMOUNT = { quote: { amount: 1_000_000 } };
const plan = planOf([
  approval('ask', { approvers: ['ann', 'eve'], identity: 'proven', fourEyes: true }),
  command('pay', { inputs: ['quote'], ...held }),
]);

async function paying(which = plan, options = {}): Promise<World> {
  const once = () => (world.order().length > 1 ? {} : fails());
  const world: World = runPlan(which, { steps: { pay: once }, startedBy: { kind: 'person', name: 'bob', identity: 'proven' }, ...options });
  await settle(world);
  const proof = { channel: 'console', at: '2026-01-05T07:30:00.000Z', mac: 'm' };
  for (const { step, shownSha256 } of world.status().gates) {
    await world.update('approve', { step, by: 'ann', shown: shownSha256, proof });
    await settle(world);
  }
  return world;
}

test('those who approved are asked whether the step goes on with other inputs, under the policy of their gate', async () => {
  const world = await paying();
  expect(world.step('pay').state).toBe('held');
  world.signal('retry', { step: 'pay', with: AMOUNT, by: 'eve' });
  await settle(world);
  expect(world.order()).toEqual(['pay#1~1']);
  expect(world.gateInputs.at(-1)?.statement).toContain('1000000');
  expect(world.status().gates).toMatchObject([
    { step: 'pay', kind: 'approval', approvers: ['ann', 'eve'], identity: 'proven', notBy: ['lead', 'bob', 'eve'] },
  ]);
});

test('the step goes on if they agree, and the run is rejected if they do not', async () => {
  const open = planOf([approval('ask'), command('pay', { inputs: ['quote'], ...held })]);
  for (const [answer, status] of [
    ['approve', 'completed'],
    ['reject', 'rejected'],
  ] as const) {
    const world = await paying(open, { activitiesPerExecution: 4 });
    world.signal('retry', { step: 'pay', with: AMOUNT });
    await settle(world);
    world.signal(answer, { step: 'pay', by: 'ann' });
    await expect(world.result).resolves.toMatchObject({ status });
    expect(world.order()).toEqual(answer === 'approve' ? ['pay#1~1', 'pay#1~2'] : ['pay#1~1']);
  }
});

test.each([
  ['nobody has replaced anything', planOf([approval('ask'), command('pay', held)]), {}],
  ['no gate covers the step', planOf([command('before'), command('pay', held)]), { with: AMOUNT }],
])('nobody is asked where %s', async (_, which, more) => {
  const world = await paying(which, {
    steps: { pay: ({ address }: { address?: { try: number } }) => (address?.try === 2 ? {} : fails()) },
  });
  world.signal('retry', { step: 'pay', ...more });
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
});
