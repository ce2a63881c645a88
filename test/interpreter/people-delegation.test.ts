import type { ApprovalStep } from '../../plan/steps/step';
import { approval, command, pipeline } from '../support/steps';
import { planOf, runPlan, type World, type WorldOptions } from '../support/world';

async function asked(more: Partial<ApprovalStep>, delegates?: Record<string, string[]>, options: WorldOptions = {}): Promise<World> {
  const world = runPlan(planOf([approval('ask', more)], delegates ? { delegates } : {}), options);
  await world.settle();
  return world;
}
const refused = { outcome: 'refused' };

describe('an approver', () => {
  it('hands their place at a gate to somebody else, who decides in it, and they do not any more', async () => {
    const world = await asked({ approvers: ['ann', 'bob'] });
    await world.update('delegate', { by: 'ann', to: 'cay', comment: 'on leave' });
    expect(world.status().gates).toMatchObject([{ approvers: ['ann', 'bob'], delegates: { ann: ['cay'] } }]);
    await expect(world.update('approve', { by: 'ann' })).rejects.toMatchObject(refused);
    await world.update('approve', { by: 'cay' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.journal().find((entry) => entry.kind === 'decision')).toMatchObject({ decision: { by: 'cay', inPlaceOf: 'ann' } });
    expect(world.journal().find((entry) => entry.kind === 'signal')).toMatchObject({
      name: 'delegate',
      outcome: 'applied',
      by: 'ann',
      reason: expect.stringMatching(/cay.*on leave/),
    });
  });

  it('takes the place back', async () => {
    const world = await asked({ approvers: ['ann'] });
    await world.update('delegate', { by: 'ann', to: 'cay' });
    await expect(world.update('delegate', { by: 'ann', to: 'cay' })).rejects.toMatchObject({ outcome: 'duplicate' });
    await world.update('delegate', { by: 'ann', to: 'ann' });
    await expect(world.update('delegate', { by: 'ann', to: 'ann' })).rejects.toMatchObject(refused);
    await expect(world.update('approve', { by: 'cay' })).rejects.toMatchObject(refused);
    await world.update('approve', { by: 'ann' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('has the delegate of another gate at that gate only', async () => {
    const world = runPlan(planOf([approval('one', { approvers: ['ann'] }), approval('two', { approvers: ['ann'] })]));
    await world.settle();
    await world.update('delegate', { by: 'ann', to: 'cay' });
    await world.update('approve', { by: 'cay' });
    await world.settle();
    await expect(world.update('approve', { step: 'two', by: 'cay' })).rejects.toMatchObject(refused);
  });

  it('hands nothing over without a place: as a stranger, if nobody is named, or having answered', async () => {
    const world = await asked({ approvers: ['ann', 'bob'], quorum: 2 });
    await expect(world.update('delegate', { by: 'eve', to: 'cay' })).rejects.toMatchObject(refused);
    await expect(world.update('delegate', { to: 'cay' })).rejects.toMatchObject({ outcome: 'unreadable' });
    await world.update('approve', { by: 'ann' });
    await expect(world.update('delegate', { by: 'ann', to: 'cay' })).rejects.toMatchObject(refused);
    const open = await asked({});
    await expect(open.update('delegate', { by: 'ann', to: 'cay' })).rejects.toMatchObject(refused);
  });
});

describe('a standing delegate', () => {
  it('decides in an approver’s place, and so may the approver', async () => {
    for (const [by, inPlaceOf] of [['cay', 'ann'], ['ann']] as const) {
      const world = await asked({ approvers: ['ann'] }, { ann: ['cay', 'dan'], bob: ['eve'] });
      await expect(world.update('approve', { by: 'eve' })).rejects.toMatchObject(refused);
      await world.update('approve', { by });
      await expect(world.result).resolves.toMatchObject({ status: 'completed' });
      const entry = world.journal().find(({ kind }) => kind === 'decision');
      expect(entry).toMatchObject({ decision: { by } });
      expect(entry?.kind === 'decision' && entry.decision.inPlaceOf).toBe(inPlaceOf);
    }
  });

  it('gives way to the one whom the approver has named at the gate', async () => {
    const world = await asked({ approvers: ['ann'] }, { ann: ['cay'] });
    await world.update('delegate', { by: 'ann', to: 'dan' });
    await expect(world.update('approve', { by: 'cay' })).rejects.toMatchObject(refused);
    await world.update('approve', { by: 'dan' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });
});

describe('a quorum', () => {
  it('counts a person or their delegate once', async () => {
    const world = await asked({ approvers: ['ann', 'bob'], quorum: 2 }, { ann: ['cay'] });
    await world.update('approve', { by: 'cay' });
    await expect(world.update('approve', { by: 'ann' })).rejects.toMatchObject({ outcome: 'duplicate' });
    await world.update('approve', { by: 'bob' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('counts a delegate of two approvers once', async () => {
    const world = await asked({ approvers: ['ann', 'bob'], quorum: 2 }, { ann: ['cay'], bob: ['cay'] });
    await world.update('approve', { by: 'cay' });
    await expect(world.update('approve', { by: 'cay' })).rejects.toMatchObject({ outcome: 'duplicate' });
    await world.update('approve', { by: 'bob' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('is not made smaller by a place handed to somebody who has one already', async () => {
    const world = await asked({ approvers: ['ann', 'bob', 'cay'], quorum: 2 });
    await expect(world.update('delegate', { by: 'ann', to: 'bob' })).rejects.toMatchObject(refused);
    await world.update('delegate', { by: 'ann', to: 'dan' });
    await expect(world.update('delegate', { by: 'bob', to: 'dan' })).rejects.toMatchObject(refused);
  });
});

describe('four eyes', () => {
  it('bars the delegate of a barred person, and a barred person as a delegate', async () => {
    const more: Partial<ApprovalStep> = { approvers: ['lead', 'bob'], fourEyes: true };
    const world = await asked(more, { lead: ['cay'] }, { input: { startedBy: 'ann' } });
    await expect(world.update('approve', { by: 'cay' })).rejects.toMatchObject(refused);
    await expect(world.update('delegate', { by: 'lead', to: 'dan' })).rejects.toMatchObject(refused);
    for (const to of ['ann', 'lead']) await expect(world.update('delegate', { by: 'bob', to })).rejects.toMatchObject(refused);
    await world.update('delegate', { by: 'bob', to: 'dan' });
    await world.update('approve', { by: 'dan' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });
});

test('a place at a child’s gate is handed over at the parent', async () => {
  const child = planOf([approval('ask', { approvers: ['ann'] })], { name: 'release', delegates: { ann: ['dan'] } });
  const world = runPlan(planOf([pipeline('deploy', 'release')]), { children: { release: child } });
  await world.settle();
  expect(world.status().gates).toMatchObject([{ step: 'deploy/ask', delegates: { ann: ['dan'] } }]);
  await world.update('delegate', { by: 'ann', to: 'cay' });
  expect(world.status().gates).toHaveLength(1);
  await world.settle();
  expect(world.status().gates).toMatchObject([{ delegates: { ann: ['cay'] } }]);
  await expect(world.update('approve', { by: 'dan' })).rejects.toMatchObject(refused);
  await world.update('approve', { by: 'cay' });
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
});

test('a place that was handed over stays so across continue-as-new', async () => {
  const chain = Array.from({ length: 8 }, (_, i) => command(`s${i}`, { after: i === 0 ? ['hold'] : [`s${i - 1}`] }));
  const steps = [approval('ask', { after: [], approvers: ['ann'] }), approval('hold', { after: [] }), ...chain];
  const world = runPlan(planOf(steps, {}, 'graph'), { activitiesPerExecution: 4 });
  await world.settle();
  await world.settle();
  world.signal('delegate', { step: 'ask', by: 'ann', to: 'cay' });
  world.signal('approve', { step: 'hold', by: 'bob' });
  await world.elapse();
  expect(world.executions).toBeGreaterThan(1);
  await expect(world.update('approve', { by: 'ann' })).rejects.toMatchObject(refused);
  await world.update('approve', { by: 'cay' });
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
});
