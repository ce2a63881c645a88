import type { AllowOrHold } from '../../plan/budgets/budget';
import { ThermidorFailure } from '../../plan/run/failure';
import { agent, group, pipeline } from '../support/steps';
import { artifact, planOf, runPlan } from '../support/world';
import { grants, needing, run } from './spending';

describe('a budget of a step', () => {
  it('limits what is within it, whatever the run has left', async () => {
    const world = run(
      [{ ...group('work', [agent('a'), agent('b')]), budget: { tokens: 50 } }],
      { tokens: 1000 },
      { steps: { a: needing(30), b: needing(30) } },
    );
    await world.settle();
    expect(grants(world)).toEqual([50, 20]);
    expect(world.status().gates).toMatchObject([{ step: 'work/b', kind: 'budget' }]);
    await world.update('extend_budget', { tokens: 60 });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.step('work').budget?.tokens).toEqual({ ceiling: 60, spent: 60, reserved: 0, left: 0 });
    expect(world.status().budget?.tokens).toMatchObject({ ceiling: 1000, spent: 60 });
  });

  it('sets how often an agent may be respawned', async () => {
    const world = runPlan(planOf([agent('a', { budget: { retriesPerStep: 1 } })]), {
      steps: {
        a: () => {
          throw new ThermidorFailure('agent.timeout', 'late');
        },
      },
    });
    await expect(world.result).rejects.toMatchObject({ code: 'agent.timeout' });
    expect(world.order()).toEqual(['a#1~1', 'a#1~2']);
  });
});

describe('a budget and a child pipeline', () => {
  const child = planOf([agent('c1'), agent('c2')], { name: 'child' });

  it('reserves for the child, charges what it used, and takes back the rest', async () => {
    const world = runPlan(planOf([pipeline('sub', 'child'), agent('after')], { budget: { tokens: 100 } }), {
      children: { child },
      steps: { c1: needing(20), c2: needing(20), after: needing(60) },
    });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.status().budget?.tokens).toEqual({ ceiling: 100, spent: 100, reserved: 0, left: 0 });
  });

  it('opens the gate at the parent if the child needs more than there is', async () => {
    const world = runPlan(planOf([pipeline('sub', 'child')], { budget: { tokens: 30 } }), {
      children: { child },
      steps: { c1: needing(20), c2: needing(20) },
    });
    await world.elapse(() => world.status().gates.length > 0);
    expect(world.status().gates).toMatchObject([{ step: 'sub', kind: 'budget' }]);
    await world.update('extend_budget', { tokens: 40 });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.status().budget?.tokens).toEqual({ ceiling: 40, spent: 40, reserved: 0, left: 0 });
  });

  it.each([
    ['allow', undefined, undefined, 'allow'],
    [undefined, 'allow', undefined, 'allow'],
    ['allow', undefined, 'hold', 'hold'],
    ['allow', 'hold', undefined, 'hold'],
    ['hold', 'allow', undefined, 'hold'],
    ['hold', undefined, 'allow', 'hold'],
    [undefined, undefined, undefined, 'hold'],
  ] as const)('says %s, its child %s and a step of that %s: of both runs the stricter word holds, %s', async (own, childs, steps, held) => {
    const words = (word: AllowOrHold | undefined) => (word ? { onUnlimited: word, onUnknownCost: word } : {});
    const step = agent('c1', steps ? { budget: words(steps) } : {});
    const inner = planOf([step], { name: 'child', ...(childs ? { budget: words(childs) } : {}) });
    const world = runPlan(planOf([pipeline('sub', 'child')], { budget: { costMicroUsd: 1000, ...words(own) } }), {
      children: { child: inner },
    });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    const { budget } = world.seen.find(({ step: id }) => id === 'c1')?.input ?? {};
    expect(budget).toMatchObject({ onUnlimited: held, onUnknownCost: held });
  });

  it('that holds what a child would let run is asked at the child, and lets it run from then on', async () => {
    const inner = planOf([agent('c1')], { name: 'child', budget: { onUnlimited: 'allow' } });
    const world = runPlan(planOf([pipeline('sub', 'child')], { budget: { costMicroUsd: 1000, onUnlimited: 'hold' } }), {
      children: { child: inner },
      steps: {
        c1: ({ input }) =>
          input.budget?.onUnlimited === 'allow'
            ? { artifact: artifact('done') }
            : { paused: { kind: 'budget', short: { kind: 'unlimited', adapter: 'claude' } } },
      },
    });
    await world.elapse(() => world.status().gates.length > 0);
    expect(world.status().gates).toMatchObject([{ step: 'sub/c1', kind: 'budget', raise: { on_unlimited: 'allow' } }]);
    await world.update('extend_budget', { step: 'sub/c1', on_unlimited: 'allow' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });
});
