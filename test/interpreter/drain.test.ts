import type { Step } from '../../plan/steps/step';
import type { Json } from '../../plan/text/json';
import { deferred } from '../../workflows/interpreter/scheduling/deferred';
import { takes } from '../support/behaviours';
import { command, forEach, parallel } from '../support/steps';
import { artifact, planOf, runPlan, type StepBehaviour, type World } from '../support/world';

/** Executions whose history fills up repeatedly while one step works until the test ends it. */

const ITEMS = 60;
const list = (count: number) => Array.from({ length: count }, (_, i) => i);

interface Played {
  world: World;
  endSlow: () => void;
  done(): number;
}

function nextToLongStep(items: number, use: StepBehaviour = takes(1 / 60)): Played {
  const slow = deferred<void>();
  const plan = planOf([parallel('both', [command('slow'), forEach('each', [command('use')])])]);
  const world = runPlan(plan, {
    lists: { each: list(items) },
    activitiesPerExecution: 20,
    steps: { slow: () => slow.promise.then(() => ({})), use },
  });
  return { world, endSlow: slow.resolve, done: () => world.order().filter((address) => address.includes('/use')).length };
}

describe('a step that lasts, in a run whose history is full', () => {
  it('holds up nobody for longer than ten seconds each time', async () => {
    const { world, endSlow, done } = nextToLongStep(ITEMS);
    await world.elapse();
    expect([done(), world.executions]).toEqual([ITEMS, 1]);
    expect(world.status().state).toBe('running');
    // This allows one second for each item, and ten for each time that the history was full.
    expect(world.clock.now() - Date.parse(world.status().startedAt)).toBeLessThanOrEqual((ITEMS + 3 * 10) * 1000);
    endSlow();
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('is waited for at last: an execution must close before the server closes the run', async () => {
    const { world, endSlow, done } = nextToLongStep(4 * ITEMS);
    await world.elapse();
    const before = done();
    expect(before).toBeGreaterThan(ITEMS);
    expect(before).toBeLessThan(2 * ITEMS);
    endSlow();
    await world.completes();
    expect(done()).toBe(4 * ITEMS);
    expect(world.executions).toBeGreaterThan(2);
  });

  it('is waited for while it does not last: the execution closes as soon as it ends', async () => {
    const { world, endSlow, done } = nextToLongStep(ITEMS);
    for (let second = 0; second < 25; second++) {
      await world.settle();
      world.clock.tick();
    }
    endSlow();
    await world.completes();
    expect(world.executions).toBeGreaterThan(1);
    expect(done()).toBe(ITEMS);
  });

  it('that was held back, and let go so that it may end, is held back again', async () => {
    const make: Json[] = [];
    let taken = 0;
    let isBound = true;
    let most = 0;
    const later = (world: World, ms: number) => new Promise<void>((resolve) => void world.clock.after(ms, resolve));
    const producer: StepBehaviour = async ({ call }) => {
      while (make.length < 40) {
        await later(world, 5000);
        while (isBound && make.length - taken >= 4) await later(world, 200);
        make.push({ id: make.length });
        most = Math.max(most, make.length - taken);
        await call.wake({ workflowId: call.info.workflowId, step: 'make#1/items' });
      }
      return { artifact: artifact('made') };
    };
    const emits = { name: 'Item.json', schema: 's', maxItems: 100, maxWaiting: 4, key: ['id'] };
    const loop: Step = { kind: 'for_each', id: 'each', stream: 'make', block: { order: 'sequence', steps: [command('use')] } };
    const world: World = runPlan(planOf([command('make', { emits }), loop]), {
      emitted: { make },
      activitiesPerExecution: 40,
      onTaken: (now, isUnbounded) => {
        taken = now;
        isBound = !isUnbounded;
      },
      steps: { make: producer, use: takes(1) },
    });
    await world.completes();
    expect(world.order().filter((address) => address.endsWith('/use#1~1'))).toHaveLength(40);
    // The limit of waiting items, and those that the step emits in the ten seconds without a limit.
    expect(most).toBeLessThanOrEqual(4 + 3);
  });
});
