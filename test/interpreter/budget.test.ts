import { ThermidorFailure } from '../../plan/failure';
import type { Step } from '../../plan/step';
import type { StepInput, StepOutput } from '../../plan/step-work';
import type { Usage } from '../../plan/usage';
import { agent, command, forEach, group, parallel, pipeline } from '../support/steps';
import { artifact, planOf, runPlan, type Seen, type StepBehaviour, type World, type WorldOptions } from '../support/world';

const tokens = (count: number, costMicroUsd: number | null = 0): Usage => ({
  inputTokens: count,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  costMicroUsd,
});

/** An agent that needs so many tokens, says so before it uses more than it may, and uses them. */
function needing(count: number): StepBehaviour {
  return ({ input }) => need(count, input);
}

function need(count: number, { budget }: StepInput): StepOutput {
  if (budget?.tokens !== undefined && budget.tokens < count) {
    return { paused: { kind: 'budget', short: { kind: 'tokens', needed: count } }, usage: tokens(0) };
  }
  return { artifact: artifact('done'), usage: tokens(count) };
}

const run = (steps: Step[], budget: { tokens?: number }, options: WorldOptions = {}): World => runPlan(planOf(steps, { budget }), options);
const grants = (world: World): (number | undefined)[] => world.seen.map(({ input }) => input.budget?.tokens);

describe('a budget of a run', () => {
  it('gives an agent that is alone all that is left, and takes back what it did not use', async () => {
    const world = run([agent('a'), agent('b')], { tokens: 100 }, { steps: { a: needing(30), b: needing(70) } });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(grants(world)).toEqual([100, 70]);
    expect(world.status().budget).toEqual({ tokens: { ceiling: 100, spent: 100, reserved: 0, left: 0 } });
  });

  it('shares what is left in equal parts among branches that begin together', async () => {
    const branches = ['a', 'b', 'c', 'd'].map((id) => agent(id));
    const steps = Object.fromEntries(branches.map(({ id }) => [id, needing(25)]));
    const world = run([parallel('all', branches)], { tokens: 100 }, { steps });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(grants(world)).toEqual([25, 25, 25, 25]);
  });

  it('shares among the iterations of a loop that run side by side', async () => {
    const world = run(
      [forEach('each', [agent('a')], { maxConcurrent: 4 })],
      { tokens: 100 },
      { steps: { a: needing(20) }, lists: { each: [1, 2, 3, 4] } },
    );
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(grants(world)[0]).toBe(25);
    expect(world.status().budget?.tokens?.spent).toBe(80);
  });

  it('shares among branches that have steps of their own before their agents', async () => {
    const branches = ['x', 'y'].map((id) => group(id, [command(`${id}-first`), agent(`${id}-agent`)]));
    const world = run([parallel('all', branches)], { tokens: 100 }, { steps: { 'x-agent': needing(10), 'y-agent': needing(10) } });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.seen.filter(({ name }) => name === 'agent').map(({ input }) => input.budget?.tokens)).toEqual([50, 50]);
  });

  it('tops up an agent whose share does not do from what others give back', async () => {
    const world = run(
      [parallel('all', [agent('big'), agent('small')])],
      { tokens: 100 },
      { steps: { big: needing(80), small: needing(10) } },
    );
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.seen.map(({ step, input }) => [step, input.budget?.tokens])).toEqual([
      ['big', 50],
      ['small', 50],
      ['big', 90],
    ]);
  });

  it('cannot be overspent by eight branches together', async () => {
    let spent = 0;
    const branches = Array.from({ length: 8 }, (_, i) => agent(`b${i}`));
    const steps = Object.fromEntries(
      branches.map(({ id }) => [
        id,
        (seen: Seen) => {
          const output = need(30, seen.input);
          if (!output.paused) spent += 30;
          return output;
        },
      ]),
    );
    const world = run([parallel('all', branches)], { tokens: 100 }, { steps });
    await world.elapse();
    expect(spent).toBe(90);
    expect(world.status()).toMatchObject({ state: 'held', budget: { tokens: { spent: 90, reserved: 0, left: 10 } } });
    expect(world.status().gates).toHaveLength(1);
  });

  it('holds the run at a gate where it is reached, and goes on when it is extended', async () => {
    const world = run([agent('a'), agent('b')], { tokens: 100 }, { steps: { a: needing(80), b: needing(50) } });
    await world.settle();
    expect(world.status()).toMatchObject({ state: 'held', gates: [{ step: 'b', kind: 'budget', choices: ['extend_budget', 'abort'] }] });
    await expect(world.update('approve', { by: 'ann' })).rejects.toMatchObject({ outcome: 'refused' });
    await world.update('extend_budget', { tokens: 130, by: 'ann' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.status().budget?.tokens).toEqual({ ceiling: 130, spent: 130, reserved: 0, left: 0 });
    expect(world.journal().flatMap((entry) => (entry.kind === 'budget' ? [entry.event] : []))).toEqual(['reached', 'extended']);
  });

  it('asks again where the new ceiling does not do either', async () => {
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
    await expect(world.update('extend_budget', { tokens: 40 })).rejects.toMatchObject({ outcome: 'refused' });
    await expect(world.update('extend_budget', { tokens: -1 })).rejects.toMatchObject({ outcome: 'unreadable' });
    await expect(world.update('extend_budget', {})).rejects.toMatchObject({ outcome: 'unreadable' });
    world.signal('extend_budget', { tokens: 200 });
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
            if (address?.try === 1) throw new ThermidorFailure('reply.invalid', 'no', { usage: { ...tokens(40) } });
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

  it('lets `finally` run whatever the hour', async () => {
    const last = { order: 'sequence' as const, steps: [command('tidy')] };
    const world = runPlan(planOf([command('first')], { budget: { wallClockMs: 60_000 }, finally: last }), {
      steps: {
        first: async ({ call }) => {
          await new Promise<void>((done) => call.clock.after(90_000, done));
          return {};
        },
      },
    });
    await world.elapse();
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('asks a person where nobody knows what a model costs', async () => {
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
