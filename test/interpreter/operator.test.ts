import { Cancelled } from '../../workflows/run-context';
import { failsFirst } from '../support/behaviours';
import { agent, approval, command, held, parallel } from '../support/steps';
import { planOf, runPlan } from '../support/world';

describe('an operator', () => {
  it('has a held step tried again, with other inputs', async () => {
    const world = runPlan(planOf([command('a', held), command('b')]), { steps: { a: failsFirst() } });
    await world.settle();
    expect(world.status()).toMatchObject({ state: 'held' });
    expect(world.step('a')).toMatchObject({ state: 'held', waitingFor: expect.stringContaining('disk full') });
    world.signal('retry', { step: 'a', with: { path: '/other' } });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order()).toEqual(['a#1~1', 'a#1~2', 'b#1~1']);
    expect(world.seen[1]?.input).toMatchObject({ with: { path: '/other' }, note: { reason: 'operator' } });
  });

  it('decides what happens to an action that may have been done, whatever the step says of failures and tries', async () => {
    const lenient = { onError: [{ kind: 'continue' as const }], retry: { max: 3 } };
    const unknown = failsFirst('action.unknown');
    const world = runPlan(planOf([command('a', lenient), command('b')]), { steps: { a: unknown } });
    await world.settle();
    expect(world.step('a')).toMatchObject({ state: 'held', try: 1 });
    world.signal('skip', { step: 'a' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order()).toEqual(['a#1~1', 'b#1~1']);
  });

  it('skips a held step', async () => {
    const world = runPlan(planOf([command('a', held), command('b')]), { steps: { a: failsFirst() } });
    await world.settle();
    await expect(world.update('skip', { by: 'ops' })).resolves.toEqual({ outcome: 'applied', step: 'a' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.step('a').state).toBe('skipped');
  });

  it('learns when nothing is held', async () => {
    const world = runPlan(planOf([approval('ask')]));
    await world.settle();
    await expect(world.update('retry', { step: 'ask' })).rejects.toMatchObject({ outcome: 'misdirected' });
    await expect(world.update('skip')).rejects.toMatchObject({ outcome: 'misdirected' });
    await expect(world.update('unpause')).rejects.toMatchObject({ outcome: 'refused' });
  });

  it('aborts a run that waits', async () => {
    const world = runPlan(planOf([approval('ask')]));
    await world.settle();
    world.signal('abort', { by: 'ops', reason: 'wrong day' });
    await expect(world.result).rejects.toMatchObject({ code: 'run.aborted', message: 'aborted by ops: wrong day' });
  });

  it('cancels a run that waits, with a reason or without one', async () => {
    for (const reason of ['by ops: wrong day', undefined]) {
      const world = runPlan(planOf([approval('ask')]));
      await world.settle();
      world.cancel(reason);
      await expect(world.result).rejects.toBeInstanceOf(Cancelled);
      expect(world.status().reason).toBe(reason);
      expect(world.journal().at(-1)).toEqual(expect.objectContaining({ kind: 'run', state: 'cancelled', ...(reason ? { reason } : {}) }));
    }
  });

  it('has a step tried again for a reason that the journal has', async () => {
    const world = runPlan(planOf([command('a', held)]), { steps: { a: failsFirst() } });
    await world.settle();
    world.signal('retry', { step: 'a', reason: 'the disk is free', by: 'ops' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.journal()).toContainEqual(expect.objectContaining({ kind: 'signal', name: 'retry', reason: 'for a: the disk is free' }));
  });

  it('pauses: what runs finishes, nothing starts until the run is unpaused', async () => {
    let finish: () => void = () => undefined;
    const world = runPlan(planOf([command('a'), command('b')]), {
      steps: {
        a: () =>
          new Promise((resolve) => {
            finish = () => resolve({});
          }),
      },
    });
    await world.settle();
    world.signal('pause', { by: 'ops', reason: 'release' });
    world.signal('pause');
    finish();
    await world.settle();
    expect(world.status().state).toBe('paused');
    expect(world.order()).toEqual(['a#1~1']);
    world.signal('unpause', { by: 'ops' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('takes an approval while the run is paused, and goes on from it afterwards', async () => {
    const world = runPlan(planOf([approval('ask'), command('b')]));
    await world.settle();
    world.signal('pause');
    world.signal('approve', { by: 'chairman' });
    await world.settle();
    expect(world.order()).toEqual([]);
    world.signal('unpause');
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  });

  it('cancels in mid-step: the activity is aborted and the run ends as cancelled', async () => {
    const world = runPlan(planOf([agent('a'), agent('b')]), { steps: { a: () => new Promise(() => undefined) } });
    await world.settle();
    world.cancel();
    await expect(world.result).rejects.toBeInstanceOf(Cancelled);
    expect(world.seen[0]?.call.signal.aborted).toBe(true);
    expect(world.journal().at(-1)).toMatchObject({ kind: 'run', state: 'cancelled' });
  });

  it('leaves no step running when the run has ended', async () => {
    const world = runPlan(planOf([agent('a', { after: [] }), approval('ask', { after: [] })], {}, 'graph'), {
      steps: { a: () => new Promise(() => undefined) },
    });
    await world.settle();
    world.cancel();
    await expect(world.result).rejects.toBeInstanceOf(Cancelled);
    expect(world.status().steps.map(({ state }) => state)).toEqual(['skipped', 'skipped']);
  });

  it('cancels at an open gate, which is closed', async () => {
    const world = runPlan(planOf([approval('ask')]));
    await world.settle();
    world.cancel();
    await expect(world.result).rejects.toBeInstanceOf(Cancelled);
    expect(world.journal()).toContainEqual(expect.objectContaining({ kind: 'gate', event: 'closed', reason: 'ended' }));
  });
});

test('a step within another that is not held is reported by its kind', async () => {
  const world = runPlan(planOf([parallel('par', [approval('ask')])]));
  await world.settle();
  await expect(world.update('retry', { step: 'ask' })).rejects.toMatchObject({ message: expect.stringContaining('par[0]/ask is waiting') });
});
