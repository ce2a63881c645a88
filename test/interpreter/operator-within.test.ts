import type { Plan } from '../../plan/plan';
import type { Step } from '../../plan/steps/step';
import { fails } from '../support/behaviours';
import { command, forEach, group, held, parallel, pipeline } from '../support/steps';
import { planOf, runPlan, type World, type WorldOptions } from '../support/world';

/** Operators act on steps in every place: a branch, a loop, a child pipeline and a child of a child. */
const CHILD = 'release';
const MIDDLE = 'middle';

interface Standing {
  plan: (steps: Step[]) => Plan;
  children?: (steps: Step[]) => Record<string, Plan>;
  /** The address of a step, as seen from the run that the operator addresses. */
  at: (id: string) => string;
}

const STANDINGS: Record<string, Standing> = {
  'a branch': { plan: (steps) => planOf([parallel('par', [group('left', steps), command('right')])]), at: (id) => `par[0]/left/${id}` },
  'a loop': { plan: (steps) => planOf([forEach('each', steps, { maxConcurrent: 2 })]), at: (id) => `each[1]/${id}` },
  'a child': {
    plan: () => planOf([pipeline('deploy', CHILD)]),
    children: (steps) => ({ [CHILD]: planOf(steps, { name: CHILD }) }),
    at: (id) => `deploy/${id}`,
  },
  'a child of a child': {
    plan: () => planOf([pipeline('outer', MIDDLE)]),
    children: (steps) => ({ [MIDDLE]: planOf([pipeline('inner', CHILD)], { name: MIDDLE }), [CHILD]: planOf(steps, { name: CHILD }) }),
    at: (id) => `outer/inner/${id}`,
  },
};

/** Fails once, and never in the first iteration of a loop. */
function failsOnce(): NonNullable<WorldOptions['steps']>[string] {
  let failed = false;
  return ({ address }) => {
    if (failed || address?.path[0]?.index === 0) return {};
    // A branch has index 0 as well, so tests of a branch use `fails`.
    failed = true;
    return fails();
  };
}

async function start(standing: Standing, steps: Step[], options: WorldOptions): Promise<World> {
  const children = standing.children?.(steps);
  const world = runPlan(standing.plan(steps), { lists: { each: [1, 2] }, ...options, ...(children ? { children } : {}) });
  for (let i = 0; i < 6; i++) await world.settle();
  return world;
}

describe.each(Object.entries(STANDINGS))('in %s', (where, standing) => {
  const build = where === 'a branch' ? fails : failsOnce();
  const steps = [command('build', held), command('ship')];

  it('a held step is shown as held, and what for', async () => {
    const world = await start(standing, steps, { steps: { build } });
    expect(world.status().state).toBe('held');
    expect(world.status().held).toEqual([
      { step: standing.at('build'), reason: expect.stringContaining('disk full'), since: expect.any(String) },
    ]);
  });

  it('a held step is tried again with other inputs, at its long address', async () => {
    let tries = 0;
    const world = await start(standing, steps, {
      steps: {
        build: ({ address }) => {
          if (where === 'a loop' && address?.path[0]?.index === 0) return {};
          tries += 1;
          return tries === 1 ? fails() : {};
        },
      },
    });
    await expect(world.update('retry', { step: standing.at('build'), with: { path: '/other' } })).resolves.toEqual({
      outcome: 'applied',
      step: standing.at('build'),
    });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    const second = world.seen.filter(({ step, address }) => step === 'build' && address?.try === 2);
    expect(second.map(({ input }) => input)).toMatchObject([{ with: { path: '/other' }, note: { reason: 'operator' } }]);
  });

  it('a held step is passed over', async () => {
    const world = await start(standing, steps, { steps: { build: fails } });
    await world.update('skip', { step: standing.at('build'), by: 'ops' });
    if (where === 'a loop') await world.update('skip', { step: 'each[0]/build', by: 'ops' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.seen.filter(({ step }) => step === 'ship')).toHaveLength(where === 'a loop' ? 2 : 1);
  });

  it('of two orders for one held step the second is refused', async () => {
    const world = await start(standing, steps, { steps: { build: fails } });
    const orders = await Promise.allSettled([
      world.update('skip', { step: standing.at('build') }),
      world.update('retry', { step: standing.at('build') }),
    ]);
    expect(orders.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  });

  it('an abort ends the run while it is held', async () => {
    const world = await start(standing, steps, { steps: { build: fails } });
    world.signal('abort', { by: 'ops', reason: 'wrong day' });
    await world.elapse();
    await expect(world.result).rejects.toMatchObject({ code: 'run.aborted', message: 'aborted by ops: wrong day' });
    for (const child of world.children.values()) await expect(child.result).rejects.toMatchObject({ code: expect.any(String) });
  });

  it('a pause lets what runs finish and starts nothing more until the run is unpaused', async () => {
    const finish: (() => void)[] = [];
    const world = await start(standing, [command('build'), command('ship')], {
      steps: { build: () => new Promise((resolve) => finish.push(() => resolve({}))) },
    });
    world.signal('pause', { by: 'ops' });
    for (let i = 0; i < 6; i++) await world.settle();
    for (const done of finish) done();
    for (let i = 0; i < 6; i++) await world.settle();
    expect(world.status().state).toBe('paused');
    expect(world.seen.filter(({ step }) => step === 'ship')).toEqual([]);
    world.signal('unpause', { by: 'ops' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });
});
