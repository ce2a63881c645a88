import { ThermidorFailure } from '../../plan/run/failure';
import type { Block } from '../../plan/steps/step';
import { agent, command, forEach, parallel, pipeline, wait } from '../support/steps';
import { planOf, runPlan, type World } from '../support/world';
import { need } from './spending';

/** Parallel children share a budget and reach its end one after the other. */

const COUNT = 4;
const NEEDED = 120;

const resting = planOf([wait('rest', { forMs: 3_600_000 })], { name: 'child' });

/** `working` is the number of children that have not asked for more yet; `go` lets them ask. */
function sideBySide(working: number, ceiling: number): { world: World; go: () => void } {
  let go = (): void => undefined;
  const mayGoOn = new Promise<void>((resolve) => {
    go = resolve;
  });
  let begun = 0;
  const world = runPlan(planOf([forEach('each', [pipeline('sub', 'child')], { maxConcurrent: COUNT })], { budget: { tokens: ceiling } }), {
    lists: { each: Array.from({ length: COUNT }, (_, index) => index) },
    children: { child: planOf([agent('write')], { name: 'child' }) },
    steps: {
      write: async ({ input }) => {
        begun += 1;
        if (begun <= working) await mayGoOn;
        return need(NEEDED, input);
      },
    },
  });
  return { world, go };
}

test.each([
  { working: 1, ceiling: 400, why: 'their shares are too small' },
  { working: 2, ceiling: 400, why: 'their shares are too small' },
  { working: 1, ceiling: 2, why: 'there is not a share for each' },
])('children that lack something wait quietly while $working of them work on: $why', async ({ working, ceiling }) => {
  const { world, go } = sideBySide(working, ceiling);
  await world.settle();
  expect(world.status().gates).toEqual([]);
  go();
  await world.elapse(() => world.status().gates.length > 0);
  expect(world.status().gates).toMatchObject([{ kind: 'budget' }]);
  await world.update('extend_budget', { tokens: COUNT * NEEDED });
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  expect(world.status().budget?.tokens).toEqual({ ceiling: COUNT * NEEDED, spent: COUNT * NEEDED, reserved: 0, left: 0 });
});

/** The ceiling that the last question about the budget names. */
function ceilingAsked(world: World): number {
  const said = world.journal().findLast((entry) => entry.kind === 'budget' && entry.event === 'reached');
  return Number(/ceiling of (\d+)/.exec(said && 'reason' in said ? (said.reason ?? '') : '')?.[1]);
}

test('the ceiling that a question names is taken, and lets its step go on, whatever others hold', async () => {
  const { world, go } = sideBySide(1, 400);
  go();
  await world.elapse(() => world.status().gates.length > 0);
  await world.update('extend_budget', { tokens: ceilingAsked(world) });
  await world.elapse(() => world.status().gates.length > 0);
  expect(world.status().budget?.tokens).toMatchObject({ ceiling: 3 * (400 / COUNT) + NEEDED, spent: NEEDED });
});

test('children of children wait as quietly; each ceiling that is named is taken, and all that is asked for is spent but for a token a child', async () => {
  const loop = (id: string, child: string) => forEach(id, [pipeline('sub', child)], { maxConcurrent: COUNT });
  const list = Array.from({ length: COUNT }, (_, index) => index);
  const world = runPlan(planOf([loop('each', 'middle')], { budget: { tokens: NEEDED } }), {
    lists: { each: list, within: list },
    children: { middle: planOf([loop('within', 'leaf')], { name: 'middle' }), leaf: planOf([agent('write')], { name: 'leaf' }) },
    steps: { write: ({ input }) => need(NEEDED, input) },
  });
  for (;;) {
    await world.elapse(() => world.status().gates.length > 0 || world.status().state === 'completed');
    if (world.status().state === 'completed') break;
    await world.update('extend_budget', { tokens: ceilingAsked(world) });
  }
  const { ceiling = 0, ...budget } = world.status().budget?.tokens ?? {};
  expect(budget).toMatchObject({ spent: COUNT * COUNT * NEEDED, reserved: 0 });
  expect(ceiling - COUNT * COUNT * NEEDED).toBeLessThan(COUNT);
});

describe('a child that is cancelled because its run ends', () => {
  async function endedBy(finallyNeeds: number): Promise<World> {
    let fail = (): void => undefined;
    const failing = new Promise<void>((resolve) => {
      fail = resolve;
    });
    const steps = [command('fails'), pipeline('sub', 'child')];
    const last: Block = { order: 'sequence', steps: [agent('clean')] };
    const world = runPlan(planOf(steps, { budget: { tokens: 200 }, finally: last }, 'graph'), {
      children: { child: resting },
      steps: {
        fails: async () => {
          await failing;
          throw new ThermidorFailure('command.failed', 'no');
        },
        clean: ({ input }) => need(finallyNeeds, input),
      },
    });
    await world.settle();
    expect(world.status().budget?.tokens).toMatchObject({ reserved: 200 });
    fail();
    return world;
  }

  test('gives back what it holds: `finally` may use it', async () => {
    const world = await endedBy(200);
    await expect(world.result).rejects.toMatchObject({ code: 'command.failed' });
    expect(world.status().steps).toMatchObject([{ state: 'failed' }, { state: 'skipped' }, { id: 'clean', state: 'done' }]);
  });

  test('is waited for by nobody: if `finally` lacks more, a person is asked', async () => {
    const world = await endedBy(300);
    await world.elapse(() => world.status().gates.length > 0);
    expect(world.status().gates).toMatchObject([{ kind: 'budget', step: 'clean' }]);
  });
});

test.each([false, true])('a child whose branch nobody needs any more gives back what it holds; it has begun: %s', async (begins) => {
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const branches = parallel('any', [agent('fast'), pipeline('sub', 'child')], { wait: 'any' });
  const world = runPlan(planOf([branches, agent('after')], { budget: { tokens: 200 } }), {
    children: { child: resting },
    steps: {
      fast: async ({ input }) => {
        if (begins) await finished;
        return need(50, input);
      },
      after: ({ input }) => need(150, input),
    },
  });
  if (begins) await world.settle();
  finish();
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  expect(world.status().budget?.tokens).toEqual({ ceiling: 200, spent: 200, reserved: 0, left: 0 });
});
