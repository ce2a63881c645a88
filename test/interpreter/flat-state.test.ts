import { agent, command, forEach, review, reviewed } from '../support/steps';
import { planOf, runPlan, type World } from '../support/world';

/** The state of a run does not grow with its turns. The journal does, and it goes to the store page by page. */

const sizes = (world: World): number[] => world.states.map(({ records }) => JSON.stringify(records).length);

test('of a loop sixty iterations take no more room than twenty', async () => {
  // With ten steps each, twenty iterations become one part of the output and leave the state.
  const block = Array.from({ length: 10 }, (_, i) => command(`s${i}`));
  const plan = planOf([forEach('loop', block)]);
  const world = runPlan(plan, { lists: { loop: Array.from({ length: 60 }, (_, i) => i) }, activitiesPerExecution: 12 });
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  const all = sizes(world);
  const third = Math.floor(all.length / 3);
  expect(third).toBeGreaterThan(10);
  const [first, last] = [Math.max(...all.slice(0, third + 1)), Math.max(...all.slice(2 * third))];
  // Each part adds one reference.
  expect(last).toBeLessThan(first + 1000);
});

test('each round of a review leaves the same little: what it came to, and nothing of the way there', async () => {
  const plan = planOf([agent('draft'), review('check', 'draft', { onRevise: [{ kind: 'retry', step: 'draft', max: 100 }] })]);
  let rounds = 0;
  const check = () => {
    rounds += 1;
    return reviewed(rounds <= 60 ? 'revise' : 'pass');
  };
  const world = runPlan(plan, { steps: { check }, activitiesPerExecution: 4 });
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  const all = sizes(world);
  const grown = (from: number, to: number): number => (all[to] ?? 0) - (all[from] ?? 0);
  const half = Math.floor(all.length / 2);
  expect(half).toBeGreaterThan(10);
  // The allowance is for rounds and token sums, which have more digits at the end.
  expect(grown(half, all.length - 1)).toBeLessThan(grown(0, half) * 1.1 + 200);
  expect(grown(0, all.length - 1) / 60).toBeLessThan(1200);
});
