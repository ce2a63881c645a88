import { agent, forEach, pipeline } from '../support/steps';
import { planOf, runPlan, type World } from '../support/world';
import { need } from './spending';

/** Children in parallel that share a budget, and come to its end one after the other. */

const COUNT = 4;
const NEEDED = 120;

/** `working` of the children have not asked for more yet, and do so when they are let. */
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

/** The ceiling that the last question names. */
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
