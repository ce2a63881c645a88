import { ThermidorFailure } from '../../plan/failure';
import { agent, group, pipeline } from '../support/steps';
import { planOf, runPlan } from '../support/world';
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

  it('opens the gate at the parent where the child needs more than there is', async () => {
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
});
