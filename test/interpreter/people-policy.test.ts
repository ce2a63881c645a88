import type { ApprovalStep } from '../../plan/steps/step';
import { agent, approval, command, input, pipeline } from '../support/steps';
import { planOf, runPlan, type World } from '../support/world';

const HOUR = 3_600_000;
const DIGEST = 'f'.repeat(64);
const outcomes = (world: World) => world.journal().flatMap((entry) => (entry.kind === 'signal' ? [`${entry.name} ${entry.outcome}`] : []));

async function asked(more: Partial<ApprovalStep>): Promise<World> {
  const world = runPlan(planOf([approval('ask', more), command('next')]));
  await world.settle();
  return world;
}

describe('what was shown', () => {
  it.each([DIGEST, DIGEST.slice(0, 8), DIGEST.slice(0, 12).toUpperCase()])(
    'is bound to a decision that names its digest: %s',
    async (shown) => {
      const world = await asked({});
      await world.update('approve', { shown });
      await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    },
  );

  it('has changed if the digest is another, and then the answer is refused', async () => {
    const world = await asked({});
    await expect(world.update('approve', { shown: 'deadbeef' })).rejects.toMatchObject({ outcome: 'refused' });
    await expect(world.update('delegate', { shown: 'deadbeef', by: 'ann', to: 'bob' })).rejects.toMatchObject({ outcome: 'refused' });
    world.signal('reject', { shown: `${DIGEST.slice(0, 63)}0` });
    await world.settle();
    expect(outcomes(world)).toEqual(['reject refused']);
    expect(world.status().gates).toHaveLength(1);
  });

  it.each(['fffffff', 'no digest', `${DIGEST}f`])('is not said by %s', async (shown) => {
    const world = await asked({});
    await expect(world.update('approve', { shown })).rejects.toMatchObject({ outcome: 'unreadable' });
  });

  it('binds the answer to an input gate, and to a gate of a child, too', async () => {
    const children = { release: planOf([input('value')], { name: 'release' }) };
    const world = runPlan(planOf([pipeline('deploy', 'release')]), { children });
    await world.settle();
    await expect(world.update('respond', { response: 1, shown: 'deadbeef' })).rejects.toMatchObject({ outcome: 'refused' });
    await world.update('respond', { response: 1, shown: DIGEST });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });
});

describe('a comment', () => {
  it('on_reject is needed by a rejection and by nothing else', async () => {
    const world = await asked({ comment: 'on_reject' });
    expect(world.status().gates).toMatchObject([{ comment: 'on_reject' }]);
    await expect(world.update('reject', { by: 'ann' })).rejects.toMatchObject({ outcome: 'refused' });
    await expect(world.update('reject', { by: 'ann', comment: '  ' })).rejects.toMatchObject({ outcome: 'refused' });
    await world.update('approve', { by: 'ann' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('always is needed by every choice', async () => {
    const world = await asked({ comment: 'always', choices: ['small', 'large'] });
    await expect(world.update('respond', { response: 'large' })).rejects.toMatchObject({ outcome: 'refused' });
    await world.update('respond', { response: 'large', comment: 'we can afford it' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('that a child’s gate needs is missed at its parent', async () => {
    const children = { release: planOf([approval('ask', { comment: 'always' })], { name: 'release' }) };
    const world = runPlan(planOf([pipeline('deploy', 'release')]), { children });
    await world.settle();
    await expect(world.update('approve', { by: 'ann' })).rejects.toMatchObject({ outcome: 'refused' });
  });

  it('is not part of a decision that time makes', async () => {
    const world = runPlan(planOf([approval('ask', { comment: 'always', timeoutMs: HOUR, onTimeout: 'reject' })]));
    await world.elapse();
    await expect(world.result).resolves.toMatchObject({ status: 'rejected' });
  });
});

describe('the most careful option', () => {
  it('is no, if that may be answered', async () => {
    const world = runPlan(planOf([approval('ask', { timeoutMs: HOUR, onTimeout: 'conservative', choices: ['large', 'reject', 'small'] })]));
    await world.elapse();
    await expect(world.result).resolves.toMatchObject({ status: 'rejected' });
  });

  it('is the last of the author’s choices if no is none of them', async () => {
    const world = runPlan(planOf([approval('ask', { timeoutMs: HOUR, onTimeout: 'conservative', choices: ['large', 'small', 'none'] })]));
    await world.completes();
    expect(world.step('ask').decision).toEqual({ choice: 'none' });
  });
});

describe('a quorum', () => {
  it('of the author’s own choices wants so many who say the same', async () => {
    const world = await asked({ choices: ['small', 'large'], quorum: 2 });
    await world.update('respond', { response: 'large', by: 'ann' });
    await world.update('respond', { response: 'small', by: 'bob' });
    expect(world.status().gates).toMatchObject([{ approvedBy: ['ann', 'bob'] }]);
    await world.update('respond', { response: 'small', by: 'ann' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.step('ask').decision).toMatchObject({ choice: 'small' });
  });

  it('counts a person once whose signal and update come at once', async () => {
    const world = await asked({ quorum: 2 });
    world.signal('approve', { by: 'ann' });
    const second = world.update('approve', { by: 'ann' });
    world.signal('approve', { by: 'ann' });
    await expect(second).rejects.toMatchObject({ outcome: 'duplicate' });
    expect(world.status().gates).toMatchObject([{ approvedBy: ['ann'] }]);
    expect(outcomes(world)).toEqual(['approve applied', 'approve duplicate']);
  });

  it('is kept across continue-as-new, and no voice is counted twice or lost', async () => {
    const chain = Array.from({ length: 8 }, (_, i) => command(`s${i}`, { after: i === 0 ? [] : [`s${i - 1}`] }));
    const world = runPlan(planOf([approval('ask', { after: [], quorum: 3 }), ...chain], {}, 'graph'), { activitiesPerExecution: 3 });
    world.signal('approve', { by: 'too early' });
    for (const by of ['ann', 'bob', 'ann', 'cay']) {
      await world.settle();
      await world.settle();
      world.signal('approve', { by });
    }
    await world.completes();
    expect(world.executions).toBeGreaterThan(1);
    expect(outcomes(world)).toEqual(['approve early', 'approve applied', 'approve applied', 'approve duplicate', 'approve applied']);
    expect(world.journal().map(({ seq }) => seq)).toEqual(world.journal().map((_, i) => i + 1));
  });
});

describe('what people send', () => {
  it.each([
    ['comment', { comment: 'x'.repeat(10_001) }],
    ['by', { by: 'x'.repeat(201) }],
    ['step', { step: 'x'.repeat(1001) }],
    ['value', { value: 'x'.repeat(64 * 1024) }],
  ])('has limits in the run’s state: %s', async (_key, payload) => {
    const world = await asked({});
    await expect(world.update('approve', payload)).rejects.toMatchObject({ outcome: 'refused' });
    world.signal('approve', payload);
    await world.settle();
    expect(JSON.stringify(world.journal()).length).toBeLessThan(6000);
  });
});

describe('a budget gate', () => {
  it('is answered by extend_budget or abort, and by no decision', async () => {
    const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroUsd: 0 };
    const world = runPlan(planOf([agent('work')], { budget: { tokens: 10 } }), {
      steps: {
        work: ({ input: { budget } }) =>
          (budget?.tokens ?? 0) < 20 ? { paused: { kind: 'budget', short: { kind: 'tokens', needed: 20 } }, usage } : {},
      },
    });
    await world.settle();
    expect(world.status().gates).toMatchObject([{ step: 'work', kind: 'budget' }]);
    for (const [name, payload] of [
      ['approve', {}],
      ['reject', {}],
      ['respond', { response: 'abort' }],
      ['delegate', { by: 'ann', to: 'bob' }],
    ] as const) {
      await expect(world.update(name, payload)).rejects.toMatchObject({
        outcome: 'refused',
        message: expect.stringContaining('extend_budget'),
      });
    }
    await world.update('extend_budget', { tokens: 50 });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });
});

describe('a name that resembles an approver’s', () => {
  it('is refused with the name that is meant, over update and signal', async () => {
    const world = await asked({ approvers: ['alice', 'bob'] });
    await expect(world.update('approve', { by: 'alise' })).rejects.toMatchObject({ outcome: 'refused', message: meantAlice });
    await expect(world.update('delegate', { by: 'Alise', to: 'carl' })).rejects.toMatchObject({ outcome: 'refused', message: meantAlice });
    world.signal('approve', { by: 'alise' });
    await world.settle();
    expect(world.journal()).toContainEqual(expect.objectContaining({ kind: 'signal', outcome: 'refused', reason: meantAlice }));
    expect(world.status().gates).toMatchObject([{ step: 'ask' }]);
  });

  const meantAlice: unknown = expect.stringContaining('did you mean "alice"? approvers: alice, bob');
});
