import { fails, failsFirst } from '../support/behaviours';
import { command, group, held, parallel } from '../support/steps';
import { planOf, runPlan, type World } from '../support/world';

/** Operators act on a failed step while the run continues. */

describe('a step that failed and whose run goes on', () => {
  const tolerated = { onError: [{ kind: 'continue' as const }] };

  /** `a`, which failed, is tried again, and `c`, which holds the run, is skipped. */
  async function goOn(world: World): Promise<void> {
    await world.settle();
    await world.update('retry', { step: 'a' });
    await world.settle();
    await world.update('skip', { step: 'c' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  }

  it('is tried again together with what was passed over because of it', async () => {
    const steps = [
      command('fetch', { after: [], ...tolerated }),
      command('parse', { after: ['fetch'] }),
      command('slow', { after: [] }),
      command('end', { after: ['parse', 'slow'] }),
    ];
    let finish: () => void = () => undefined;
    const world = runPlan(planOf(steps, {}, 'graph'), {
      steps: {
        fetch: failsFirst(),
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
    const world = runPlan(planOf([command('a', tolerated), command('b'), command('c', held)]), {
      steps: { a: failsFirst(), c: fails },
    });
    await goOn(world);
    expect(world.order()).toEqual(['a#1~1', 'b#1~1', 'c#1~1', 'a#1~2']);
  });

  it('is a branch: the others wait for it, and the step around it is saved', async () => {
    let finish: () => void = () => undefined;
    const world = runPlan(planOf([parallel('par', [command('left'), command('right')])]), {
      steps: {
        left: failsFirst(),
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
      steps: { left: fails, right: () => new Promise((resolve) => (finish = () => resolve({}))) },
    });
    await world.settle();
    await world.update('skip', { step: 'left' });
    finish();
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('is taken up in another execution as well', async () => {
    const steps = [command('a', tolerated), command('b'), command('c', held), command('d')];
    const world = runPlan(planOf(steps), {
      activitiesPerExecution: 4,
      steps: { a: failsFirst(), c: fails },
    });
    await goOn(world);
    expect(world.order().filter((address) => address.startsWith('a#'))).toEqual(['a#1~1', 'a#1~2']);
  });

  it('is refused if its block has ended with it', async () => {
    const world = runPlan(planOf([parallel('par', [group('left', [command('a'), command('b')]), command('right')])]), {
      steps: { a: fails, right: () => new Promise(() => undefined) },
    });
    await world.settle();
    await expect(world.update('retry', { step: 'par[0]/left/a' })).rejects.toMatchObject({ outcome: 'misdirected' });
    await expect(world.update('retry', { step: 'par[1]/right' })).rejects.toMatchObject({ outcome: 'misdirected' });
  });
});
