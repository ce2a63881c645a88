import { ThermidorFailure } from '../../plan/run/failure';
import { agent, command, parallel } from '../support/steps';
import { planOf, runPlan } from '../support/world';
import { need, needing, run, tokens } from './spending';

describe('a budget of a run', () => {
  it('holds the run at a gate if it is reached, and goes on when it is extended', async () => {
    const world = run([agent('a'), agent('b')], { tokens: 100 }, { steps: { a: needing(80), b: needing(50) } });
    await world.settle();
    expect(world.status()).toMatchObject({ state: 'held', gates: [{ step: 'b', kind: 'budget', choices: ['extend_budget', 'abort'] }] });
    await expect(world.update('approve', { by: 'ann' })).rejects.toMatchObject({ outcome: 'refused' });
    await world.update('extend_budget', { tokens: 130, by: 'ann' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.status().budget?.tokens).toEqual({ ceiling: 130, spent: 130, reserved: 0, left: 0 });
    expect(world.journal().flatMap((entry) => (entry.kind === 'budget' ? [entry.event] : []))).toEqual(['reached', 'extended']);
  });

  it('is asked for once, and the other that lacks it says whose question it waits for', async () => {
    const both = parallel('both', [agent('a'), agent('b')]);
    const world = run([both], { tokens: 100 }, { steps: { a: needing(120), b: needing(150) } });
    await world.settle();
    const [gate, ...others] = world.status().gates;
    expect(others).toEqual([]);
    const waits = ['a', 'b'].map((id) => world.step(id).waitingFor);
    expect(waits.sort()).toEqual(['more budget: extend_budget, or abort', `the budget that ${gate?.step} has asked for`]);
    await world.update('extend_budget', { tokens: 300 });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('asks again if the new ceiling does not do either', async () => {
    const world = run([agent('a')], { tokens: 10 }, { steps: { a: needing(50) } });
    await world.settle();
    await world.update('extend_budget', { tokens: 20 });
    await world.settle();
    expect(world.status().gates).toMatchObject([{ kind: 'budget', budget: { tokens: { ceiling: 20 } } }]);
    await world.update('extend_budget', { tokens: 50 });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('takes a ceiling for good, in the plain signal too, and refuses one below what is spent', async () => {
    const world = run([agent('a'), agent('b')], { tokens: 100 }, { steps: { a: needing(80), b: needing(50) } });
    await world.settle();
    await expect(world.update('extend_budget', { tokens: 40 })).rejects.toMatchObject({
      outcome: 'refused',
      message: expect.stringContaining('80 tokens are spent or reserved already, and the ceiling is 100 tokens'),
    });
    await expect(world.update('extend_budget', { tokens: -1 })).rejects.toMatchObject({ outcome: 'unreadable' });
    await expect(world.update('extend_budget', {})).rejects.toMatchObject({ outcome: 'unreadable' });
    world.signal('extend_budget', { tokens: 200 });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('refuses a time below the one that has passed', async () => {
    const world = run([agent('a')], { tokens: 10, wallClockMs: 3_600_000 }, { steps: { a: needing(50) } });
    await world.settle();
    const until = world.clock.now() + 1_800_000;
    world.clock.after(1_800_000, () => undefined);
    await world.elapse(() => world.clock.now() >= until);
    const order = world.update('extend_budget', { tokens: 50, wall_clock: '20m' });
    await expect(order).rejects.toThrow('30 min 00 s are spent already, and the ceiling is 1 h 00 min');
    await world.update('extend_budget', { tokens: 50, wall_clock: '40m' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('ends by abort while it is held', async () => {
    const world = run([agent('a')], { tokens: 10 }, { steps: { a: needing(50) } });
    await world.settle();
    world.signal('abort', { by: 'ann' });
    await expect(world.result).rejects.toMatchObject({ code: 'run.aborted' });
  });

  it('charges what failed tries have used', async () => {
    const world = run(
      [agent('a', { retry: { max: 2 } })],
      { tokens: 100 },
      {
        steps: {
          a: ({ address, input }) => {
            if (address?.try === 1) throw new ThermidorFailure('reply.invalid', 'no', undefined, undefined, { usage: tokens(40) });
            return need(60, input);
          },
        },
      },
    );
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.status().budget?.tokens?.spent).toBe(100);
    expect(world.status().usage?.inputTokens).toBe(100);
  });

  it('is carried over continue-as-new, what is spent and what a person has added', async () => {
    const steps = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => agent(id));
    const world = run(
      steps,
      { tokens: 100 },
      { activitiesPerExecution: 3, steps: Object.fromEntries(steps.map(({ id }) => [id, needing(20)])) },
    );
    await world.elapse();
    expect(world.status()).toMatchObject({ state: 'held', gates: [{ step: 'f' }] });
    expect(world.executions).toBeGreaterThan(2);
    await world.update('extend_budget', { tokens: 120 });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.status().budget?.tokens).toMatchObject({ ceiling: 120, spent: 120 });
  });
});

describe('a budget that a run gets while it is under way', () => {
  it('counts what its agents have used before', async () => {
    const world = runPlan(planOf([agent('a'), command('b'), agent('c')]), {
      steps: {
        a: needing(40),
        b: async ({ call }) => {
          await new Promise<void>((done) => call.clock.after(1000, done));
          return {};
        },
        c: needing(30),
      },
    });
    await world.settle();
    await expect(world.update('extend_budget', { tokens: 30 })).rejects.toMatchObject({ outcome: 'refused' });
    await world.update('extend_budget', { tokens: 60 });
    await world.elapse();
    expect(world.status()).toMatchObject({ state: 'held', gates: [{ step: 'c' }], budget: { tokens: { spent: 40, left: 20 } } });
  });
});
