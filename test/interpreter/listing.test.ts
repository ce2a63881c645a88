import type { RunView, StepView } from '../../plan/run/status';
import { STATUS_PAGE } from '../../plan/run/status';
import { controlPlan } from '../../plan/steps/control';
import { orderOf } from '../../plan/steps/order';
import type { Step } from '../../plan/steps/step';
import type { Run } from '../../workflows/interpreter/run';
import { countSteps, listSteps } from '../../workflows/interpreter/views/listing';
import { command, forEach, group, parallel } from '../support/steps';
import { planOf, runPlan } from '../support/world';

const LONG = 12_000;

test('pages of any length are together what one page lists, whatever is within what', async () => {
  const steps: Step[] = [
    command('a'),
    parallel('p', [command('p0'), group('p1', [command('q0'), command('q1')])]),
    forEach('loop', [command('l0'), command('l1')]),
    command('b'),
  ];
  const hold = () => new Promise<never>(() => undefined);
  const plan = planOf(steps, { finally: { order: 'sequence', steps: [command('z')] } });
  const world = runPlan(plan, { lists: { loop: [1, 2, 3] }, steps: { l1: hold } });
  await world.elapse();
  const page = (offset: number, limit: number) => world.query('status', { offset, limit }) as RunView;
  const whole = page(0, STATUS_PAGE);
  expect(whole.steps.map(({ id }) => id)).toEqual(expect.arrayContaining(['a', 'p', 'p0', 'p1', 'q0', 'q1', 'loop', 'l0', 'l1', 'b', 'z']));
  expect(whole.totalSteps).toBe(whole.steps.length);
  for (let size = 1; size <= whole.steps.length; size += 1) {
    const pages: StepView[] = [];
    for (let offset = 0; offset < whole.totalSteps; offset += size) pages.push(...page(offset, size).steps);
    expect(pages).toEqual(whole.steps);
  }
  expect(page(whole.totalSteps, 5).steps).toEqual([]);
  expect(page(3, 0).steps).toEqual([]);
});

test('a page of a run of thousands of steps looks at its own steps, and at none before them', () => {
  let looks = 0;
  const plan = controlPlan(planOf(Array.from({ length: LONG }, (_, i) => command(`s${i}`))));
  const steps = new Proxy(plan.block.steps, {
    get(target, key, receiver) {
      looks += 1;
      return Reflect.get(target, key, receiver);
    },
  });
  const block = { ...plan.block, steps };
  expect(orderOf(block).holders).toEqual([]);
  const run = { plan: { ...plan, block }, state: { records: {} } } as unknown as Run;
  looks = 0;
  expect(countSteps(run)).toBe(LONG);
  const rest = listSteps(run, LONG - 10);
  expect([...rest].map(({ path }) => path)).toEqual(Array.from({ length: 10 }, (_, i) => `s${LONG - 10 + i}`));
  expect(looks).toBeLessThan(50);
});
