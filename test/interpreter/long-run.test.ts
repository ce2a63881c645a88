import type { Step } from '../../plan/steps/step';
import { agent, command, parallel, review, reviewed } from '../support/steps';
import { sweepCount } from '../support/sweep';
import { planOf, runPlan } from '../support/world';

const GROUPS = sweepCount(200, 500);
const IN_GROUP = 8;

/** Eight steps. Each group comes after the last group but one. */
function group(n: number): Step[] {
  return [
    command(`a${n}`, { after: n < 2 ? [] : [`g${n - 2}`] }),
    agent(`b${n}`, { after: [`a${n}`], inputs: [`a${n}`] }),
    parallel(`c${n}`, [command(`d${n}`), agent(`e${n}`)], { after: [`b${n}`] }),
    review(`f${n}`, `b${n}`, { after: [`c${n}`] }),
    command(`h${n}`, { after: [`f${n}`] }),
    command(`g${n}`, { after: [`h${n}`] }),
  ];
}

describe('a run of thousands of steps', () => {
  const steps = Array.from({ length: GROUPS }, (_, n) => group(n)).flat();
  const whole = GROUPS * IN_GROUP;

  it('goes over many executions, does each step once, and never over all records for one of them', async () => {
    const passes = { many: 0 };
    const spies = (['entries', 'keys', 'values'] as const).map((name) => {
      const real = Object[name] as (value: object) => unknown[];
      return jest.spyOn(Object, name).mockImplementation((value: object) => {
        const found = real(value);
        if (found.length > whole / 4) passes.many += 1;
        return found as never;
      });
    });
    const verdicts = Object.fromEntries(Array.from({ length: GROUPS }, (_, n) => [`f${n}`, () => reviewed('pass')]));
    const world = runPlan(planOf(steps, { concurrent: 16 }, 'graph'), {
      activitiesPerExecution: (GROUPS * IN_GROUP) / 10,
      steps: verdicts,
    });
    await world.completes();
    for (const spy of spies) spy.mockRestore();
    expect(world.executions).toBeGreaterThan(5);
    const order = world.order();
    expect(new Set(order).size).toBe(order.length);
    expect(world.journal().map((entry) => entry.seq)).toEqual(world.journal().map((_, i) => i + 1));
    expect(world.journal().filter((entry) => entry.kind === 'step' && entry.state === 'done')).toHaveLength(whole);
    // Each execution needs a few passes over all steps at its beginning, and the end needs a few.
    expect(passes.many).toBeLessThan(10 * world.executions);
  });
});
