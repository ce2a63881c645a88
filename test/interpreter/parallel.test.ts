import { defined } from '../../plan/defined';
import type { Step } from '../../plan/steps/step';
import { fails, failsFirst, takes } from '../support/behaviours';
import { command, forEach, group, parallel, pipeline } from '../support/steps';
import { artifact, planOf, runPlan, type StepBehaviour, type WorldOptions } from '../support/world';

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

  test('a worker that dies while it makes one of their outputs is soon found to be dead, however long it may take', async () => {
    const world = runPlan(planOf([parallel('both', [command('left'), command('right')])]));
    await world.result;
    expect(world.calls.find(({ name }) => name === 'compose')?.options).toMatchObject({ startToCloseMs: 600_000, heartbeatMs: 30_000 });
  });

  test('one failed branch fails the step, after all have settled', async () => {
    const world = runPlan(planOf([parallel('both', [command('bad'), command('slow')])]), { steps: { bad: fails, slow: takes(5) } });
    await world.elapse();
    await expect(world.result).rejects.toMatchObject({ code: 'parallel.branch-failed', message: expect.stringContaining('disk full') });
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
    const world = runPlan(planOf([parallel('both', [command('bad'), command('good')], { retry: { max: 2, delayMs: 1 } })]), {
      steps: {
        bad: failsFirst(),
      },
    });
    await world.completes();
    expect(world.order()).toEqual(['both[0]/bad#1~1', 'both[1]/good#1~1', 'both[0]/bad#2~1']);
  });

  test('when the time is up what came is used, and the rest is cancelled and listed', async () => {
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
  const never: StepBehaviour = () => new Promise(() => undefined);

  test.each<[string, Step, WorldOptions]>([
    ['a step', command('deaf'), {}],
    ['a block', group('inner', [command('deaf')]), {}],
    ['a loop', forEach('inner', [command('deaf')]), { lists: { inner: ['a'] } }],
    ['branches', parallel('inner', [command('deaf'), command('deaf2')]), {}],
    ['a child pipeline', pipeline('inner', 'child'), { children: { child: planOf([command('deaf')], { name: 'child' }) } }],
  ])('a loser that does not end as it is called off delays neither the winner nor the run: %s', async (_what, loser, options) => {
    for (const dialect of [undefined, 'lobster'] as const) {
      const plan = planOf([parallel('race', [command('fast'), loser], { wait: 'any' }), command('end')], defined({ dialect }));
      const world = runPlan(plan, { ...options, steps: { fast: takes(1), deaf: never, deaf2: never } });
      const began = world.clock.now();
      await world.elapse(() => world.order().includes('end#1~1'));
      await expect(world.result).resolves.toMatchObject({ status: 'completed' });
      expect(world.clock.now() - began).toBeLessThanOrEqual(2 * 60_000);
    }
  });

  test('any takes the first success and calls the rest off', async () => {
    const world = runPlan(planOf([parallel('race', [command('bad'), command('fast'), command('slow')], { wait: 'any' })]), {
      steps: { bad: fails, fast: takes(1), slow: takes(9) },
    });
    await world.completes();
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

  test.each([
    [{ quorum: { share: [2, 3] } as const }, '1 succeeded, 2 of 3 must'],
    [{ quorum: { count: 3 } }, '1 succeeded, 3 of 3 must'],
  ])('%j that is not reached says how many must succeed', async (wait, message) => {
    const world = runPlan(planOf([parallel('poll', [command('a'), command('b'), command('c')], { wait })]), {
      steps: { b: fails, c: fails },
    });
    await expect(world.result).rejects.toMatchObject({ message: expect.stringContaining(message) });
  });

  test('a count of 1 is one branch', async () => {
    const world = runPlan(planOf([parallel('race', [command('a'), command('b')], { wait: { quorum: { count: 1 } } })]), {
      steps: { a: fails },
    });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });
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

test('a branch that nobody needs any more is skipped, begun or not', async () => {
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

test('a branch that is done and has no output is not missing', async () => {
  const world = runPlan(planOf([parallel('both', [command('quiet'), command('slow')], { wait: 'any' })]), {
    steps: { quiet: () => ({}), slow: takes(5) },
  });
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  expect(world.composed['both#1~1/compose']).toEqual({ kind: 'branches', results: { quiet: null, slow: null }, missing: ['slow'] });
});
