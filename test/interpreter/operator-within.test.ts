import { ThermidorFailure } from '../../plan/failure';
import type { Plan } from '../../plan/plan';
import type { Step } from '../../plan/step';
import { command, forEach, group, parallel, pipeline } from '../support/steps';
import { planOf, runPlan, type World, type WorldOptions } from '../support/world';

/** What operators do, in each of the places where a step may stand: a branch, a loop, a child pipeline, a child of a child. */
const held = { onError: [{ kind: 'hold' as const }] };
const CHILD = 'release';
const MIDDLE = 'middle';

interface Standing {
  plan: (steps: Step[]) => Plan;
  children?: (steps: Step[]) => Record<string, Plan>;
  /** What a step is called from the run that the operator speaks to. */
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

/** Fails the first time, of a loop in its second iteration. */
function failsOnce(): NonNullable<WorldOptions['steps']>[string] {
  let failed = false;
  return ({ address }) => {
    if (failed || address?.path[0]?.index === 0) return {};
    // A branch has an index as well: that of the only one that fails here.
    failed = true;
    throw new ThermidorFailure('command.failed', 'disk full');
  };
}

const always = (): never => {
  throw new ThermidorFailure('command.failed', 'disk full');
};

async function start(standing: Standing, steps: Step[], options: WorldOptions): Promise<World> {
  const children = standing.children?.(steps);
  const world = runPlan(standing.plan(steps), { lists: { each: [1, 2] }, ...options, ...(children ? { children } : {}) });
  for (let i = 0; i < 6; i++) await world.settle();
  return world;
}

describe.each(Object.entries(STANDINGS))('in %s', (where, standing) => {
  const build = where === 'a branch' ? always : failsOnce();
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
          return tries === 1 ? always() : {};
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
    const world = await start(standing, steps, { steps: { build: always } });
    await world.update('skip', { step: standing.at('build'), by: 'ops' });
    if (where === 'a loop') await world.update('skip', { step: 'each[0]/build', by: 'ops' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.seen.filter(({ step }) => step === 'ship')).toHaveLength(where === 'a loop' ? 2 : 1);
  });

  it('of two orders for one held step the second is refused', async () => {
    const world = await start(standing, steps, { steps: { build: always } });
    const orders = await Promise.allSettled([
      world.update('skip', { step: standing.at('build') }),
      world.update('retry', { step: standing.at('build') }),
    ]);
    expect(orders.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  });

  it('an abort ends the run while it is held', async () => {
    const world = await start(standing, steps, { steps: { build: always } });
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

describe('a step that failed and whose run goes on', () => {
  const tolerated = { onError: [{ kind: 'continue' as const }] };

  it('is tried again together with what was passed over because of it', async () => {
    let tries = 0;
    const steps = [
      command('fetch', { after: [], ...tolerated }),
      command('parse', { after: ['fetch'] }),
      command('slow', { after: [] }),
      command('end', { after: ['parse', 'slow'] }),
    ];
    let finish: () => void = () => undefined;
    const world = runPlan(planOf(steps, {}, 'graph'), {
      steps: {
        fetch: () => {
          tries += 1;
          return tries === 1 ? always() : {};
        },
        slow: () => new Promise((resolve) => (finish = () => resolve({}))),
      },
    });
    await world.settle();
    expect(world.status().steps.map(({ state }) => state)).toEqual(['failed', 'skipped', 'running', 'pending']);
    await expect(world.update('retry', { step: 'fetch' })).resolves.toEqual({ outcome: 'applied', step: 'fetch' });
    await world.settle();
    finish();
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order()).toEqual(['fetch#1~1', 'slow#1~1', 'fetch#1~2', 'parse#1~1', 'end#1~1']);
  });

  it('leaves alone what has run after it', async () => {
    let tries = 0;
    const world = runPlan(planOf([command('a', tolerated), command('b'), command('c', held)]), {
      steps: {
        a: () => {
          tries += 1;
          return tries === 1 ? always() : {};
        },
        c: always,
      },
    });
    await world.settle();
    await world.update('retry', { step: 'a' });
    await world.settle();
    await world.update('skip', { step: 'c' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order()).toEqual(['a#1~1', 'b#1~1', 'c#1~1', 'a#1~2']);
  });

  it('is a branch: the others wait for it, and the step around it is saved', async () => {
    let tries = 0;
    let finish: () => void = () => undefined;
    const world = runPlan(planOf([parallel('par', [command('left'), command('right')])]), {
      steps: {
        left: () => {
          tries += 1;
          return tries === 1 ? always() : {};
        },
        right: () => new Promise((resolve) => (finish = () => resolve({}))),
      },
    });
    await world.settle();
    await world.update('retry', { step: 'left' });
    await world.settle();
    finish();
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('is a branch that is passed over: the step around it does not count it', async () => {
    let finish: () => void = () => undefined;
    const world = runPlan(planOf([parallel('par', [command('left'), command('right')])]), {
      steps: { left: always, right: () => new Promise((resolve) => (finish = () => resolve({}))) },
    });
    await world.settle();
    await world.update('skip', { step: 'left' });
    finish();
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('is taken up in another execution as well', async () => {
    let tries = 0;
    const steps = [command('a', tolerated), command('b'), command('c', held), command('d')];
    const world = runPlan(planOf(steps), {
      activitiesPerExecution: 4,
      steps: {
        a: () => {
          tries += 1;
          return tries === 1 ? always() : {};
        },
        c: always,
      },
    });
    await world.settle();
    await world.update('retry', { step: 'a' });
    await world.settle();
    await world.update('skip', { step: 'c' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order().filter((address) => address.startsWith('a#'))).toEqual(['a#1~1', 'a#1~2']);
  });

  it('is refused where its block has ended with it', async () => {
    const world = runPlan(planOf([parallel('par', [group('left', [command('a'), command('b')]), command('right')])]), {
      steps: { a: always, right: () => new Promise(() => undefined) },
    });
    await world.settle();
    await expect(world.update('retry', { step: 'par[0]/left/a' })).rejects.toMatchObject({ outcome: 'misdirected' });
    await expect(world.update('retry', { step: 'par[1]/right' })).rejects.toMatchObject({ outcome: 'misdirected' });
  });
});

test('a step of a child that is not held is refused, and the child is named', async () => {
  const world = runPlan(planOf([pipeline('deploy', CHILD)]), {
    children: { [CHILD]: planOf([command('build')], { name: CHILD }) },
    steps: { build: () => new Promise(() => undefined) },
  });
  await world.settle();
  await expect(world.update('retry', { step: 'deploy/build' })).rejects.toMatchObject({
    outcome: 'misdirected',
    message: expect.stringContaining('test-run.deploy'),
  });
});

test('news of a child with rubbish among its held steps is read as far as it reads', async () => {
  const world = runPlan(planOf([pipeline('deploy', CHILD)]), {
    children: { [CHILD]: planOf([command('build')], { name: CHILD }) },
    steps: { build: () => new Promise(() => undefined) },
  });
  await world.settle();
  const held = [{ step: 'build', reason: 'x' }, { step: 3 }, null, 'y'];
  world.signal('thermidor:child', { step: 'deploy#1~1', kind: 'gates', gates: [], state: 'held', held });
  expect(world.status().held).toEqual([{ step: 'deploy/build', reason: 'x' }]);
});

test('a child that was about to start when its parent was paused is paused with it', async () => {
  let goOn: () => void = () => undefined;
  const world = runPlan(planOf([pipeline('deploy', CHILD)]), {
    children: { [CHILD]: planOf([command('build'), command('ship')], { name: CHILD }) },
    whileOpeningChild: () => new Promise((resolve) => (goOn = resolve)),
  });
  await world.settle();
  world.signal('pause', { by: 'ops' });
  goOn();
  for (let i = 0; i < 6; i++) await world.settle();
  expect(world.children.get('test-run.deploy')?.query('status')).toMatchObject({ state: 'paused', paused: { by: 'ops' } });
  world.signal('unpause', { by: 'ops' });
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
});

test('an operator’s word reaches the children of a run that has gone on in another execution', async () => {
  let finish: () => void = () => undefined;
  const world = runPlan(planOf([command('a'), command('b'), pipeline('deploy', CHILD)]), {
    children: { [CHILD]: planOf([command('build', held), command('ship')], { name: CHILD }) },
    activitiesPerExecution: 3,
    steps: { build: () => new Promise((_, reject) => (finish = () => reject(new ThermidorFailure('command.failed', 'disk full')))) },
  });
  for (let i = 0; i < 6; i++) await world.settle();
  finish();
  for (let i = 0; i < 6; i++) await world.settle();
  expect(world.executions).toBeGreaterThan(1);
  expect(world.status().held).toMatchObject([{ step: 'deploy/build' }]);
  await world.update('skip', { step: 'deploy/build', by: 'ops' });
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
});
