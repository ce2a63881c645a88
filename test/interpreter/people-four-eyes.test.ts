import { defined } from '../../plan/defined';
import { claimedStarter, type Starter } from '../../plan/people/starter';
import type { Plan } from '../../plan/plan';
import type { SignalPayload } from '../../plan/run/signal';
import type { ApprovalStep } from '../../plan/steps/step';
import { approval, command, pipeline } from '../support/steps';
import { planOf, runPlan, type World, type WorldOptions } from '../support/world';

const HOUR = 3_600_000;
const proven: Starter = { kind: 'person', name: 'ann', identity: 'proven' };
const STARTERS: Record<string, Starter | undefined> = {
  'who is proven': proven,
  'who is claimed': claimedStarter('ann'),
  'who is absent': undefined,
  'that is a schedule': { kind: 'schedule', schedule: 'nightly' },
};

let seals = 0;
/** An answer with a valid seal. */
function signed(world: World, by: string): SignalPayload {
  const at = new Date(world.clock.now()).toISOString();
  return { by, proof: { channel: 'console', at, mac: (seals++).toString(16).padStart(64, 'b') } };
}

async function asked(startedBy: Starter | undefined, more: Partial<ApprovalStep>, options: WorldOptions = {}): Promise<World> {
  const world = runPlan(planOf([approval('ask', { fourEyes: true, ...more })]), { ...options, ...defined({ startedBy }) });
  await world.settle();
  return world;
}

/** The number of these people that must say yes before the gate is passed. */
async function countYeses(world: World, people: readonly string[]): Promise<number> {
  for (const [i, by] of people.entries()) {
    await world.update('approve', signed(world, by));
    await world.settle();
    if (world.status().state === 'completed') return i + 1;
  }
  return Number.POSITIVE_INFINITY;
}
const noteOf = (world: World): string => world.status().gates[0]?.note ?? '';
const refused = { outcome: 'refused' };

/** The starter, the identity, the quorum in the plan, and the number of people that must say yes. */
const RULE = Object.keys(STARTERS).flatMap((starter) =>
  (['proven', undefined] as const).flatMap((identity) =>
    [1, 2, 3].map((quorum) => {
      const needed = identity === 'proven' && starter !== 'who is proven' ? Math.max(2, quorum) : quorum;
      return { starter, identity, quorum, needed };
    }),
  ),
);

describe('four eyes', () => {
  it.each(RULE)(
    'with a starter $starter, identity $identity and quorum $quorum take $needed',
    async ({ starter, identity, quorum, needed }) => {
      const policy = { ...(identity ? { identity } : {}), ...(quorum > 1 ? { quorum } : {}) };
      for (const approvers of [undefined, ['bob', 'cat', 'dan', 'eve']]) {
        const world = await asked(STARTERS[starter], { ...policy, ...(approvers ? { approvers } : {}) });
        expect(world.status().gates[0]?.quorum ?? 1).toBe(needed);
        expect(await countYeses(world, ['bob', 'cat', 'dan', 'eve'])).toBe(needed);
      }
    },
  );

  it('count one person once, whatever places they fill', async () => {
    const delegates = { bob: ['dan'], cat: ['dan'] };
    const ask = approval('ask', { fourEyes: true, identity: 'proven', approvers: ['bob', 'cat'] });
    const world = runPlan(planOf([ask], { delegates }), { startedBy: claimedStarter('ann') });
    await world.settle();
    await world.update('approve', signed(world, 'dan'));
    await expect(world.update('approve', signed(world, 'dan'))).rejects.toMatchObject({ outcome: 'duplicate' });
    await world.update('approve', signed(world, 'cat'));
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it.each(['who is proven', 'who is claimed'])('keep out a starter %s, and anybody who would decide in their place', async (starter) => {
    const ask = approval('ask', { fourEyes: true, identity: 'proven', approvers: ['ann', 'bob', 'cat'] });
    const world = runPlan(planOf([ask], { delegates: { ann: ['dan'] } }), { startedBy: STARTERS[starter] ?? proven });
    await world.settle();
    for (const by of ['ann', 'dan', 'lead']) await expect(world.update('approve', signed(world, by))).rejects.toMatchObject(refused);
  });

  it('let one no decide', async () => {
    const world = await asked(claimedStarter('ann'), { identity: 'proven' });
    await world.update('reject', signed(world, 'bob'));
    await expect(world.result).resolves.toMatchObject({ status: 'rejected' });
  });

  it('are not asked of a gate that does not want them', async () => {
    const world = runPlan(planOf([approval('ask', { identity: 'proven' })]), { startedBy: claimedStarter('ann') });
    await world.settle();
    expect(noteOf(world)).toBe('');
    expect(await countYeses(world, ['ann'])).toBe(1);
  });

  it('hold two people above as well, even if the chain names one', async () => {
    const escalation: Plan['escalation'] = [{ kind: 'human', name: 'boss', people: ['boss'] }];
    const ask = approval('ask', { fourEyes: true, identity: 'proven', timeoutMs: HOUR, onTimeout: 'escalate' });
    const world = runPlan(planOf([ask], { escalation }), { startedBy: claimedStarter('ann') });
    await world.elapse();
    expect(world.status().gates).toMatchObject([{ kind: 'escalation', approvers: ['boss'], quorum: 2 }]);
    expect(noteOf(world)).toContain('only boss may decide');
  });

  it.each([undefined, ['boss']])('hold two people before an action of a category, and above: %j', async (people) => {
    const requiresApproval: Plan['requiresApproval'] = {
      deploy: { fourEyes: true, identity: 'proven', timeoutMs: HOUR, onTimeout: 'escalate' },
    };
    const escalation: Plan['escalation'] = [{ kind: 'human', ...(people ? { name: 'boss', people } : {}) }];
    const plan = planOf([command('ship', { category: 'deploy' })], { requiresApproval, escalation });
    const world = runPlan(plan, { startedBy: claimedStarter('ann'), gate: () => ({ contentSha256: 'c'.repeat(64) }) });
    await world.settle();
    expect(world.status().gates).toMatchObject([{ category: 'deploy', quorum: 2 }]);
    await world.elapse();
    expect(world.status().gates).toMatchObject([{ category: 'deploy', quorum: 2, ...(people ? { approvers: people } : {}) }]);
  });

  it.each([
    ['ann (claimed)', claimedStarter('ann'), 2],
    ['ann (proven)', proven, undefined],
  ] as const)('hold in a child as in its parent: started by %s', async (text, startedBy, quorum) => {
    const release = planOf([approval('ask', { fourEyes: true, identity: 'proven' })], { name: 'release' });
    const world = runPlan(planOf([pipeline('deploy', 'release')]), { children: { release }, startedBy });
    await world.settle();
    const [gate] = world.status().gates;
    expect([gate?.step, gate?.quorum, gate?.note]).toEqual(['deploy/ask', quorum, expect.stringContaining(`Started by ${text}`)]);
  });

  it('count over continue-as-new', async () => {
    const world = await asked(claimedStarter('ann'), { identity: 'proven', approvers: ['bob', 'cat'] }, { activitiesPerExecution: 3 });
    expect(await countYeses(world, ['bob', 'cat'])).toBe(2);
    expect(world.executions).toBeGreaterThan(1);
  });
});

describe('what a gate with four eyes says', () => {
  it.each([
    ['who is proven', 'Started by ann (proven).'],
    ['who is claimed', 'Started by ann (claimed). The starter is not proven, so 2 different people must agree.'],
    ['who is absent', 'The starter is unknown. The starter is not proven, so 2 different people must agree.'],
    ['that is a schedule', 'Started by schedule nightly (claimed). The starter is not proven, so 2 different people must agree.'],
  ])('of a starter %s', async (starter, note) => {
    const world = await asked(STARTERS[starter], { identity: 'proven' });
    expect(noteOf(world)).toBe(note);
    expect(world.journal()).toContainEqual(expect.objectContaining({ kind: 'gate', event: 'opened', reason: note }));
    expect(world.published.memo?.gates).toMatchObject([{ note }]);
    expect(world.status().startedBy).toEqual(STARTERS[starter]);
  });

  it.each<[string, string, Partial<ApprovalStep>]>([
    ['one approver, where two must agree', 'who is absent', { identity: 'proven', approvers: ['bob'] }],
    ['two, one of whom is the claimed starter', 'who is claimed', { identity: 'proven', approvers: ['ann', 'bob'] }],
    ['the starter alone', 'who is proven', { identity: 'proven', approvers: ['ann'] }],
    ['a quorum that needs the starter', 'who is claimed', { approvers: ['ann', 'bob'], quorum: 2 }],
  ])('where it can never pass: %s', async (_what, starter, policy) => {
    const world = await asked(STARTERS[starter], policy);
    expect(noteOf(world)).toContain('Nobody can approve this');
    expect(
      await countYeses(
        world,
        (policy.approvers ?? []).filter((name) => name !== 'ann'),
      ),
    ).toBe(Number.POSITIVE_INFINITY);
  });

  it.each<[string, Partial<ApprovalStep>]>([
    ['who is proven', { identity: 'proven', approvers: ['ann', 'bob'] }],
    ['who is claimed', { approvers: ['ann', 'bob'] }],
    ['that is a schedule', { identity: 'proven', approvers: ['ann', 'bob'] }],
  ])('nothing of that where somebody can pass it: a starter %s', async (starter, policy) => {
    expect(noteOf(await asked(STARTERS[starter], policy))).not.toContain('Nobody can approve');
  });
});
