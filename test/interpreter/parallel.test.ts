import { ThermidorFailure } from '../../plan/failure';
import { approval, command, group, parallel, review, reviewed } from '../support/steps';
import { artifact, planOf, runPlan, type StepBehaviour } from '../support/world';

const fails: StepBehaviour = () => {
  throw new ThermidorFailure('command.failed', 'exit 1');
};
/** Ends after some minutes of the run's own clock. */
const takes =
  (minutes: number): StepBehaviour =>
  ({ call, step }) =>
    new Promise((resolve) => call.clock.after(minutes * 60_000, () => resolve({ artifact: artifact(step) })));

describe('wait: all', () => {
  test('branches run side by side, each at an address of its own, and their outputs become one', async () => {
    const world = runPlan(planOf([parallel('both', [command('left'), command('right')]), command('end')]));
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order()).toEqual(['both[0]/left#1~1', 'both[1]/right#1~1', 'end#1~1']);
    expect(world.composed['both#1~1/compose']).toEqual({
      kind: 'branches',
      results: { left: artifact('left-1-1'), right: artifact('right-1-1') },
    });
  });

  test('one failed branch fails the step, after all have settled', async () => {
    const world = runPlan(planOf([parallel('both', [command('bad'), command('slow')])]), { steps: { bad: fails, slow: takes(5) } });
    await world.elapse();
    await expect(world.result).rejects.toMatchObject({ code: 'parallel.branch-failed', message: expect.stringContaining('exit 1') });
    expect(world.step('slow').state).toBe('done');
  });

  test('a branch that may fail does not fail the step', async () => {
    const world = runPlan(planOf([parallel('both', [command('bad', { onError: [{ kind: 'continue' }] }), command('good')])]), {
      steps: { bad: fails },
    });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.composed['both#1~1/compose']).toMatchObject({ results: { bad: null, good: artifact('good-1-1') } });
  });

  test('another try runs only the branches that failed', async () => {
    let tries = 0;
    const world = runPlan(planOf([parallel('both', [command('bad'), command('good')], { retry: { max: 2, delayMs: 1 } })]), {
      steps: {
        bad: (seen) => {
          tries += 1;
          return tries === 1 ? fails(seen) : {};
        },
      },
    });
    await world.elapse();
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order()).toEqual(['both[0]/bad#1~1', 'both[1]/good#1~1', 'both[0]/bad#2~1']);
  });

  test('when the time is up what came is used, and the rest is called off and listed', async () => {
    const world = runPlan(planOf([parallel('both', [command('fast'), command('slow')], { timeoutMs: 60_000 }), command('end')]), {
      steps: { slow: takes(5) },
    });
    await world.elapse(() => world.order().includes('end#1~1'));
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.composed['both#1~1/compose']).toEqual({
      kind: 'branches',
      results: { fast: artifact('fast-1-1'), slow: null },
      timedOut: true,
    });
    expect(world.step('slow').state).toBe('skipped');
    expect(world.seen.find(({ step }) => step === 'slow')?.call.signal.aborted).toBe(true);
  });

  test('when the time is up and nothing came the step fails', async () => {
    const world = runPlan(planOf([parallel('both', [command('slow')], { timeoutMs: 60_000 })]), { steps: { slow: takes(5) } });
    await world.elapse();
    await expect(world.result).rejects.toMatchObject({ code: 'parallel.timeout' });
  });
});

describe('wait: any and quorum', () => {
  test('any takes the first success and calls the rest off', async () => {
    const world = runPlan(planOf([parallel('race', [command('bad'), command('fast'), command('slow')], { wait: 'any' })]), {
      steps: { bad: fails, fast: takes(1), slow: takes(9) },
    });
    await world.elapse();
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.composed['race#1~1/compose']).toMatchObject({ results: { bad: null, fast: artifact('fast'), slow: null } });
    expect(world.step('race').state).toBe('done');
    expect(world.step('slow').state).toBe('skipped');
  });

  test('in the Lobster dialect the first to end decides, also by failing', async () => {
    const plan = planOf([parallel('race', [command('bad'), command('slow')], { wait: 'any' })], { dialect: 'lobster' });
    const world = runPlan(plan, { steps: { bad: fails, slow: takes(9) } });
    await expect(world.result).rejects.toMatchObject({ code: 'parallel.branch-failed' });
  });

  test('a quorum is a share of the branches; it fails as soon as it cannot be reached', async () => {
    const steps = [command('a'), command('b'), command('c'), command('d'), command('e')];
    const enough = runPlan(planOf([parallel('poll', steps, { wait: { quorum: 0.6 } })]), { steps: { a: fails, e: takes(60) } });
    await expect(enough.result).resolves.toMatchObject({ status: 'completed' });
    const short = runPlan(planOf([parallel('poll', steps, { wait: { quorum: 0.6 } })]), {
      steps: { a: fails, b: fails, c: fails, e: takes(60) },
    });
    await expect(short.result).rejects.toMatchObject({ code: 'parallel.branch-failed' });
  });
});

describe('what is within', () => {
  test('at most max_concurrent branches are in flight', async () => {
    const branches = ['a', 'b', 'c', 'd'].map((id) => command(id));
    const world = runPlan(planOf([parallel('few', branches, { maxConcurrent: 2 })]), {
      steps: { a: takes(1), b: takes(2), c: takes(1), d: takes(1) },
    });
    await world.settle();
    expect(world.order()).toEqual(['few[0]/a#1~1', 'few[1]/b#1~1']);
    await world.elapse();
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });

  test('a container holds no place among the steps in flight', async () => {
    const plan = planOf([parallel('outer', [group('inner', [parallel('deep', [command('a'), command('b')])])])], { concurrent: 1 });
    const world = runPlan(plan);
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order()).toEqual(['outer[0]/inner/deep[0]/a#1~1', 'outer[0]/inner/deep[1]/b#1~1']);
  });

  test('a gate in a branch is answered at its own address, by a part of it, or by its id alone', async () => {
    const plan = planOf([parallel('both', [group('left', [approval('ask')]), approval('other')])]);
    const world = runPlan(plan);
    await world.settle();
    expect(world.status().gates.map(({ step }) => step)).toEqual(['both[0]/left/ask', 'both[1]/other']);
    await expect(world.update('approve', {})).rejects.toMatchObject({ outcome: 'misdirected' });
    await world.update('approve', { step: 'ask' });
    await world.update('approve', { step: 'both[1]/other' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });

  test('a rejection in a branch rejects the run and calls the others off', async () => {
    const world = runPlan(planOf([parallel('both', [approval('ask'), command('slow')])]), { steps: { slow: takes(60) } });
    await world.settle();
    world.signal('reject', { step: 'ask', by: 'ann' });
    await expect(world.result).resolves.toMatchObject({ status: 'rejected' });
    expect(world.step('slow').state).toBe('skipped');
  });

  test('a review within a branch sends work back there and nowhere else', async () => {
    let asked = 0;
    const plan = planOf([parallel('both', [group('left', [command('draft'), review('judge', 'draft')]), command('right')])]);
    const world = runPlan(plan, {
      steps: {
        judge: () => {
          asked += 1;
          return reviewed(asked === 1 ? 'revise' : 'pass');
        },
      },
    });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order()).toEqual([
      'both[0]/left/draft#1~1',
      'both[1]/right#1~1',
      'both[0]/left/judge#1~1',
      'both[0]/left/draft#2~1',
      'both[0]/left/judge#2~1',
    ]);
  });

  test('a container that is sent back begins anew within, at addresses that were never used', async () => {
    let asked = 0;
    const plan = planOf([parallel('both', [command('a'), command('b')]), review('judge', 'both')]);
    const world = runPlan(plan, {
      steps: {
        judge: () => {
          asked += 1;
          return reviewed(asked < 3 ? 'revise' : 'pass');
        },
      },
    });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order().filter((address) => address.includes('/a'))).toEqual(['both[0]/a#1~1', 'both[0]/a#2~1', 'both[0]/a#3~1']);
    expect(new Set(world.order()).size).toBe(world.order().length);
  });

  test('a step that fails in a branch of several stops that branch', async () => {
    const plan = planOf([parallel('both', [group('left', [command('bad'), command('never')]), command('right')], { wait: 'any' })]);
    const world = runPlan(plan, { steps: { bad: fails, right: takes(1) } });
    await world.elapse();
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order()).toEqual(['both[0]/left/bad#1~1', 'both[1]/right#1~1']);
  });

  test('an operator retries a step that is held within a branch', async () => {
    let tries = 0;
    const plan = planOf([parallel('both', [command('bad', { onError: [{ kind: 'hold' }] }), command('good')])]);
    const world = runPlan(plan, {
      steps: {
        bad: (seen) => {
          tries += 1;
          return tries === 1 ? fails(seen) : {};
        },
      },
    });
    await world.settle();
    expect(world.status().state).toBe('held');
    await world.update('retry', { step: 'bad' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });
});

test('a fan-out of 1,000 goes on in fresh executions', async () => {
  const branches = Array.from({ length: 1000 }, (_, i) => command(`b${i}`));
  const world = runPlan(planOf([parallel('wide', branches), command('end')]), { activitiesPerExecution: 100 });
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  expect(world.executions).toBeGreaterThan(5);
  expect(new Set(world.order()).size).toBe(1001);
});

test('a branch that failed and that a person lets pass fails nothing', async () => {
  const escalates = command('left', { onError: [{ kind: 'escalate', to: { kind: 'human' } }] });
  const world = runPlan(planOf([parallel('both', [escalates, command('right')])]), {
    steps: { left: fails },
  });
  await world.settle();
  world.signal('approve', { by: 'ann' });
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  expect(world.step('left').state).toBe('failed');
});

test('a branch that nobody needed any more is skipped, begun or not', async () => {
  const branches = ['a', 'b', 'c', 'd'].map((id) => command(id));
  const world = runPlan(planOf([parallel('race', branches, { wait: 'any', maxConcurrent: 2 })]), {
    steps: { b: takes(60) },
  });
  await world.elapse();
  expect(world.status().steps.map(({ id, state }) => `${id} ${state}`)).toEqual([
    'race done',
    'a done',
    'b skipped',
    'c skipped',
    'd skipped',
  ]);
});

test('a branch that is done and put out nothing is not missing', async () => {
  const world = runPlan(planOf([parallel('both', [command('quiet'), command('slow')], { wait: 'any' })]), {
    steps: { quiet: () => ({}), slow: takes(5) },
  });
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  expect(world.composed['both#1~1/compose']).toEqual({ kind: 'branches', results: { quiet: null, slow: null }, missing: ['slow'] });
});

test('a queue and a priority of a container are those of the steps within that have none of their own', async () => {
  const branches = [command('plain'), command('own', { queue: 'gpu', priority: 5 })];
  const world = runPlan(planOf([parallel('both', branches, { queue: 'big', priority: 1 })]));
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  expect(world.seen.map(({ call }) => [call.options.queue, call.options.priority])).toEqual([
    ['big', 1],
    ['gpu', 5],
  ]);
});
