import { ThermidorFailure } from '../../plan/failure';
import type { Step } from '../../plan/step';
import { command } from '../support/steps';
import { artifact, planOf, runPlan } from '../support/world';

const chain = (n: number, more: Parameters<typeof command>[1] = {}): Step[] =>
  Array.from({ length: n }, (_, i) => command(`s${i}`, { ...(i > 0 ? { chained: true as const } : {}), ...more }));

test('a chain of commands is one activity, and each of them a step', async () => {
  const world = runPlan(planOf([...chain(5), command('end')]));
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  expect(new Set(world.seen.map(({ call }) => call.options.address)).size).toBe(6);
  expect(world.status().steps.map(({ state }) => state)).toEqual(Array(6).fill('done'));
  expect(world.step('s3').artifact).toEqual(artifact('s3-1-1'));
});

test('the one that fails is handled as it would be alone, and what follows it is chained anew', async () => {
  let tries = 0;
  const world = runPlan(planOf(chain(5, { retry: { max: 2, delayMs: 1 } })), {
    steps: {
      s2: () => {
        tries += 1;
        if (tries === 1) throw new ThermidorFailure('command.failed', 'exit 1');
        return {};
      },
    },
  });
  await world.elapse();
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  expect(world.order()).toEqual(['s0#1~1', 's1#1~1', 's2#1~1', 's2#1~2', 's3#1~1', 's4#1~1']);
});

test('what a chain brought is kept over a fresh execution', async () => {
  const world = runPlan(planOf([...chain(250)]), { activitiesPerExecution: 3 });
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  expect(world.executions).toBeGreaterThan(1);
  expect(world.order()).toHaveLength(250);
});

test('a pause holds what a chain has not begun', async () => {
  const world = runPlan(planOf([command('first'), ...chain(3)]), {
    steps: { first: ({ call }) => new Promise((resolve) => call.clock.after(1000, () => resolve({}))) },
  });
  await world.settle();
  world.signal('pause', {});
  await world.elapse();
  expect(world.order()).toEqual(['first#1~1']);
  world.signal('unpause', {});
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
});
