import type { Step } from '../../plan/steps/step';
import { takes } from '../support/behaviours';
import { approval, command, forEach, parallel, pipeline } from '../support/steps';
import { planOf, runPlan, type World, type WorldOptions } from '../support/world';

/**
 * A question is within a container of a Lobster file that has a time limit and continues after failures. Neither of these passes over the
 * question.
 */
const MINUTE = 60_000;
const MORE: Partial<{ timeoutMs: number; onError: [{ kind: 'continue' }] }> = { timeoutMs: 2 * MINUTE, onError: [{ kind: 'continue' }] };

interface Around {
  of: (steps: Step[]) => Step;
  options?: (steps: Step[]) => WorldOptions;
  gate: string;
}

const CONTAINERS: readonly [string, Around][] = [
  ['branches', { of: (steps) => parallel('all', steps, MORE), gate: 'all[0]/ask' }],
  ['a loop', { of: (steps) => forEach('all', steps, MORE), options: () => ({ lists: { all: ['a'] } }), gate: 'all[0]/ask' }],
  [
    'a sub-workflow',
    {
      of: () => pipeline('all', 'child', MORE),
      options: (steps) => ({ children: { child: planOf(steps, { name: 'child', dialect: 'lobster' }) } }),
      gate: 'all/ask',
    },
  ],
  [
    'a loop of branches',
    {
      of: (steps) => forEach('all', [parallel('both', steps)], MORE),
      options: () => ({ lists: { all: ['a'] } }),
      gate: 'all[0]/both[0]/ask',
    },
  ],
];

function runOf({ of, options }: Around, within: Step[], more: WorldOptions = {}): World {
  return runPlan(planOf([of(within), command('end')], { dialect: 'lobster' }), { ...options?.(within), ...more });
}

async function minutesPass(world: World, minutes: number): Promise<void> {
  let over = false;
  world.clock.after(minutes * MINUTE, () => {
    over = true;
  });
  await world.elapse(() => over);
}

describe.each(CONTAINERS)('%s', (_what, around) => {
  test.each([
    ['in one execution', {}],
    ['over fresh executions', { activitiesPerExecution: 3 }],
  ])('waits for a person longer than its time, %s', async (_how, options) => {
    const world = runOf(around, [approval('ask')], options);
    await world.settle();
    await minutesPass(world, 30);
    expect(world.status()).toMatchObject({ state: 'waiting', gates: [{ step: around.gate }] });
    expect(world.order()).not.toContain('end#1~1');
    await world.update('approve', { by: 'ann' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.step('all').state).toBe('done');
    expect(world.executions > 1).toBe('activitiesPerExecution' in options);
  });

  test('a no within ends the run, and is no failure to go on after', async () => {
    const world = runOf(around, [approval('ask', { onError: [{ kind: 'continue' }] })]);
    await world.settle();
    await world.update('reject', { by: 'ann' });
    await expect(world.result).resolves.toMatchObject({ status: 'rejected' });
    expect(world.order()).not.toContain('end#1~1');
  });

  test('has its time for what is after the answer, and no more', async () => {
    const world = runOf(around, [approval('ask'), command('slow')], { steps: { slow: takes(60) } });
    await world.settle();
    await minutesPass(world, 30);
    await world.update('approve', { by: 'ann' });
    const answered = world.clock.now();
    await world.elapse(() => world.order().includes('end#1~1'));
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.step('all').error).toMatchObject({ code: expect.stringMatching(/timeout$/) });
    expect(world.clock.now() - answered).toBeLessThanOrEqual(2 * MINUTE);
  });
});

test('the time of a strict pipeline’s container runs while a person is asked', async () => {
  const world = runPlan(planOf([parallel('all', [approval('ask')], MORE), command('end')]));
  await world.settle();
  await minutesPass(world, 30);
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
});
