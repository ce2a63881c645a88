import { ThermidorFailure } from '../../plan/run/failure';
import { agent, command, parallel } from '../support/steps';
import { artifact, planOf, runPlan, type StepBehaviour } from '../support/world';
import { tokens } from './spending';

describe('a budget of time, of money or of calls', () => {
  it('holds what begins after its time is up', async () => {
    const world = runPlan(planOf([{ ...command('first') }, command('second')], { budget: { wallClockMs: 60_000 } }), {
      steps: {
        first: async ({ call }) => {
          await new Promise<void>((done) => call.clock.after(90_000, done));
          return {};
        },
      },
    });
    await world.elapse();
    expect(world.status()).toMatchObject({ state: 'held', gates: [{ step: 'second', kind: 'budget' }] });
    await world.update('extend_budget', { wall_clock: '1h' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('lets `finally` run, even if the time is up', async () => {
    const last = { order: 'sequence' as const, steps: [command('tidy')] };
    const world = runPlan(planOf([command('first')], { budget: { wallClockMs: 60_000 }, finally: last }), {
      steps: {
        first: async ({ call }) => {
          await new Promise<void>((done) => call.clock.after(90_000, done));
          return {};
        },
      },
    });
    await world.completes();
  });

  it('lets agents wait for the answer to what another of them asks, and does not have them look again and again', async () => {
    const ids = ['a', 'b', 'c'];
    const wants: StepBehaviour = async ({ input, call }) => {
      await new Promise<void>((done) => call.clock.after(100, done));
      if ((input.budget?.toolCalls ?? 0) > 0) return { artifact: artifact('done') };
      return { paused: { kind: 'budget', short: { kind: 'toolCalls', needed: 1 } } };
    };
    const world = runPlan(
      planOf(
        [
          parallel(
            'all',
            ids.map((id) => agent(id)),
          ),
        ],
        { budget: { tokens: 1000, toolCallsPerStep: 0 } },
      ),
      {
        steps: Object.fromEntries(ids.map((id) => [id, wants])),
      },
    );
    await world.elapse(() => world.seen.length > 20);
    expect(world.seen.length).toBeLessThanOrEqual(2 * ids.length);
    await world.update('extend_budget', { tool_calls_per_step: 5 });
    await world.elapse(() => world.seen.length > 40);
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('asks a person if nobody knows what a model costs', async () => {
    const world = runPlan(planOf([agent('a')], { budget: { costMicroUsd: 1_000_000 } }), {
      steps: {
        a: ({ input }) =>
          input.budget?.onUnknownCost === 'allow'
            ? { artifact: artifact('done'), usage: tokens(10, null) }
            : { paused: { kind: 'budget', short: { kind: 'unknownCost', model: 'm' } }, usage: tokens(0) },
      },
    });
    await world.settle();
    expect(world.status().gates).toMatchObject([{ kind: 'budget', raise: { on_unknown_cost: 'allow' } }]);
    await world.update('extend_budget', { on_unknown_cost: 'allow' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.status().budget).toMatchObject({ unknownCost: true });
  });

  it.each([
    ['dollars', { costMicroUsd: 1_000_000 }],
    ['tokens', { tokens: 1_000_000 }],
  ])('asks a person where an adapter cannot limit its replies under a ceiling in %s, and says what to write', async (unit, budget) => {
    const world = runPlan(planOf([agent('a')], { budget }), {
      steps: {
        a: ({ input }) =>
          input.budget?.onUnlimited === 'allow'
            ? { artifact: artifact('done'), usage: tokens(10, 5) }
            : { paused: { kind: 'budget', short: { kind: 'unlimited', adapter: 'claude' } }, usage: tokens(0) },
      },
    });
    await world.settle();
    expect(world.status().gates).toMatchObject([{ kind: 'budget', raise: { on_unlimited: 'allow' } }]);
    const reached = world.journal().find(({ kind }) => kind === 'budget');
    expect(reached).toMatchObject({ reason: expect.stringMatching(new RegExp(`in ${unit}.*"claude".*on_unlimited: allow`)) });
    await world.update('extend_budget', { on_unlimited: 'allow' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('asks a person before a stage asks a model that nothing counts, and says that its cost is unknown', async () => {
    const stages = { id: 's', kind: 'stages', stages: [], asksModel: true } as const;
    const world = runPlan(planOf([{ ...stages, stages: [] }], { budget: { costMicroUsd: 1_000_000 } }));
    await world.settle();
    expect(world.seen.map(({ step }) => step)).not.toContain('s');
    expect(world.status().gates).toMatchObject([{ kind: 'budget', raise: { on_unlimited: 'allow' } }]);
    await world.update('extend_budget', { on_unlimited: 'allow' });
    await world.settle();
    expect(world.status().gates).toMatchObject([{ kind: 'budget', raise: { on_unknown_cost: 'allow' } }]);
    await world.update('extend_budget', { on_unknown_cost: 'allow' });
    await world.settle();
    expect(world.seen.map(({ step }) => step)).toContain('s');
    expect(world.status().budget).toMatchObject({ unknownCost: true });
  });

  it('asks a person before a stage asks a model that nothing counts, under a ceiling in tokens', async () => {
    const stages = { id: 's', kind: 'stages', stages: [], asksModel: true } as const;
    const world = runPlan(planOf([{ ...stages, stages: [] }], { budget: { tokens: 1_000_000 } }));
    await world.settle();
    expect(world.status().gates).toMatchObject([{ kind: 'budget', raise: { on_unlimited: 'allow' } }]);
    await world.update('extend_budget', { on_unlimited: 'allow' });
    await world.settle();
    expect(world.seen.map(({ step }) => step)).toContain('s');
  });

  it('charges what a reply of unknown cost was reserved for, with all that is known', async () => {
    const world = runPlan(planOf([agent('a')], { budget: { costMicroUsd: 1_000_000 } }), {
      steps: { a: () => ({ artifact: artifact('done'), usage: { ...tokens(10, null), atMostMicroUsd: 700 } }) },
    });
    await world.settle();
    expect(world.status().budget).toMatchObject({ costMicroUsd: { spent: 700 }, unknownCost: true });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('charges the tokens that a reply was reserved for whose usage is not said', async () => {
    const world = runPlan(planOf([agent('a')], { budget: { tokens: 10_000 } }), {
      steps: { a: () => ({ artifact: artifact('done'), usage: { ...tokens(10, null), atMostTokens: 700 } }) },
    });
    await world.settle();
    expect(world.status().budget).toMatchObject({ tokens: { spent: 700, left: 9300 } });
  });

  it.each(['tokens', 'costMicroUsd'] as const)('charges all %s that a try was given whose worker was lost', async (kind) => {
    const world = runPlan(planOf([agent('a', { onError: [{ kind: 'continue' }] })], { budget: { [kind]: 1_000_000 } }), {
      steps: {
        a: () => {
          throw new ThermidorFailure('worker.lost', 'it stopped answering');
        },
      },
    });
    await world.elapse();
    expect(world.status().budget).toMatchObject({ [kind]: { spent: 1_000_000 }, unknownCost: true });
  });

  it('tells of less than a cent, and offers as many dollars as are needed', async () => {
    const world = runPlan(planOf([agent('a')], { budget: { costMicroUsd: 1_000 } }), {
      steps: { a: () => ({ paused: { kind: 'budget', short: { kind: 'costMicroUsd', needed: 4_500 } }, usage: tokens(0) }) },
    });
    await world.settle();
    expect(world.status().gates).toMatchObject([{ kind: 'budget', raise: { usd: 0.0045 } }]);
    const reached = world.journal().find(({ kind }) => kind === 'budget');
    expect(reached).toMatchObject({ reason: expect.stringMatching(/of \$0\.0010 .*\$0\.0045/) });
  });

  it('tells no ceiling that a millionth is missing from', async () => {
    const world = runPlan(planOf([agent('a')], { budget: { costMicroUsd: 12_000 } }), {
      steps: { a: () => ({ paused: { kind: 'budget', short: { kind: 'costMicroUsd', needed: 12_001 } }, usage: tokens(0) }) },
    });
    await world.settle();
    const reached = world.journal().find(({ kind }) => kind === 'budget');
    expect(reached).toMatchObject({ reason: expect.stringMatching(/of \$0\.0120 .*\$0\.0121/) });
  });

  it('asks a person for more calls of tools', async () => {
    const world = runPlan(planOf([agent('a')], { budget: { toolCallsPerStep: 2 } }), {
      steps: {
        a: ({ input }) =>
          (input.budget?.toolCalls ?? 0) >= 5
            ? { artifact: artifact('done') }
            : { paused: { kind: 'budget', short: { kind: 'toolCalls', needed: 3 } } },
      },
    });
    await world.settle();
    expect(world.status().gates).toMatchObject([{ kind: 'budget', step: 'a', raise: { tool_calls_per_step: 4 } }]);
    await world.update('extend_budget', { tool_calls_per_step: 5 });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });
});
