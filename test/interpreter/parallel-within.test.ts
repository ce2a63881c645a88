import { fails, failsFirst, saying, takes } from '../support/behaviours';
import { approval, command, group, parallel, review } from '../support/steps';
import { planOf, runPlan } from '../support/world';

describe('what is within', () => {
  test('at most max_concurrent branches are in flight', async () => {
    const branches = ['a', 'b', 'c', 'd'].map((id) => command(id));
    const world = runPlan(planOf([parallel('few', branches, { maxConcurrent: 2 })]), {
      steps: { a: takes(1), b: takes(2), c: takes(1), d: takes(1) },
    });
    await world.settle();
    expect(world.order()).toEqual(['few[0]/a#1~1', 'few[1]/b#1~1']);
    await world.completes();
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
    const plan = planOf([parallel('both', [group('left', [command('draft'), review('judge', 'draft')]), command('right')])]);
    const world = runPlan(plan, {
      steps: {
        judge: saying('revise', 'pass'),
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

  test('a container that is sent back begins again within, at addresses that were never used', async () => {
    const plan = planOf([parallel('both', [command('a'), command('b')]), review('judge', 'both')]);
    const world = runPlan(plan, {
      steps: {
        judge: saying('revise', 'revise', 'pass'),
      },
    });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order().filter((address) => address.includes('/a'))).toEqual(['both[0]/a#1~1', 'both[0]/a#2~1', 'both[0]/a#3~1']);
    expect(new Set(world.order()).size).toBe(world.order().length);
  });

  test('a step that fails in a branch of several stops that branch', async () => {
    const plan = planOf([parallel('both', [group('left', [command('bad'), command('never')]), command('right')], { wait: 'any' })]);
    const world = runPlan(plan, { steps: { bad: fails, right: takes(1) } });
    await world.completes();
    expect(world.order()).toEqual(['both[0]/left/bad#1~1', 'both[1]/right#1~1']);
  });

  test('an operator retries a step that is held within a branch', async () => {
    const plan = planOf([parallel('both', [command('bad', { onError: [{ kind: 'hold' }] }), command('good')])]);
    const world = runPlan(plan, {
      steps: {
        bad: failsFirst(),
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

test('a queue and a priority of a container are those of the steps within that have none of their own', async () => {
  const branches = [command('plain'), command('own', { queue: 'gpu', priority: 5 })];
  const world = runPlan(planOf([parallel('both', branches, { queue: 'big', priority: 1 })]));
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  expect(world.seen.map(({ call }) => [call.options.queue, call.options.priority])).toEqual([
    ['big', 1],
    ['gpu', 5],
  ]);
});
