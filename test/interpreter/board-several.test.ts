import type { Json } from '../../plan/text/json';
import { agent, approval, command } from '../support/steps';
import { planOf, runPlan, type World } from '../support/world';
import { board, coder } from './board-play';
import { freshly } from './program';

/** Which board of a run people mean. */

const never = () => new Promise<never>(() => undefined);

async function two(): Promise<World> {
  const parts = [agent('second_coder'), approval('second_person')];
  const steps = [
    board({ members: [coder('alice'), coder('bob')] }),
    board({ id: 'second', parts, members: [coder('alice'), coder('zoe')] }),
  ];
  const world = runPlan(planOf(steps, {}, 'graph'), {
    steps: { team_coder: never, second_coder: never },
    openBoard: (_, address) => ({ tasks: [{ subject: 'One' }], members: address.startsWith('second') ? SECOND : FIRST }),
  });
  await world.settle();
  return world;
}
const FIRST = [coder('alice'), coder('bob')];
const SECOND = [coder('alice'), coder('zoe')];

test.each(['task', 'drain', 'spawn'])('of several boards a person who sends %s names one', async (name) => {
  const world = await two();
  const payload: Record<string, Json> = { task: { subject: 'x' }, drain: {}, spawn: { name: 'carol', agent: 'coder' } }[name] ?? {};
  await expect(world.update(name, payload)).rejects.toMatchObject({
    outcome: 'misdirected',
    message: expect.stringContaining('several boards are open, name the step of one: team, second'),
  });
  await expect(world.update(name, { ...payload, step: 'second' })).resolves.toMatchObject({ outcome: 'applied', step: 'second' });
  expect(world.step('team').board).toMatchObject({ total: 1, members: [{}, {}] });
  expect(world.step('team').board?.isDraining).toBeUndefined();
});

test('a message goes to the board with the member, and needs its step if both have one of that name', async () => {
  const world = await two();
  await expect(world.update('message', { to: 'zoe', content: 'x' })).resolves.toMatchObject({ step: 'second' });
  await expect(world.update('message', { to: 'alice', content: 'x' })).rejects.toMatchObject({
    message: expect.stringContaining('several boards'),
  });
  await expect(world.update('message', { to: 'alice', content: 'x', step: 'team' })).resolves.toMatchObject({ step: 'team' });
  await expect(world.update('message', { to: 'zoe', content: 'x', step: 'team' })).rejects.toMatchObject({
    message: expect.stringContaining('there are alice, bob'),
  });
});

test.each(['task', 'drain', 'spawn'])('a run without a board refuses %s, and one whose board has not begun', async (name) => {
  const payload: Record<string, Json> = { task: { subject: 'x' }, drain: {}, spawn: { name: 'carol', agent: 'coder' } }[name] ?? {};
  const without = runPlan(planOf([approval('ask')]));
  await without.settle();
  await expect(without.update(name, payload)).rejects.toMatchObject({
    outcome: 'misdirected',
    message: expect.stringContaining('has no board'),
  });
  const before = runPlan(planOf([command('build'), board()]), { steps: { build: never } });
  await before.settle();
  if (name === 'task') await expect(before.update(name, payload)).resolves.toEqual({ outcome: 'early' });
  else
    await expect(before.update(name, payload)).rejects.toMatchObject({
      outcome: 'early',
      message: expect.stringContaining('is not open yet'),
    });
});

const outcomes = (world: ReturnType<typeof runPlan>) =>
  world.journal().flatMap((entry) => (entry.kind === 'signal' ? [`${entry.outcome}: ${entry.reason}`] : []));

test.each([false, true])(
  'a task that comes before its board is open is kept, in order, until it opens (in a later execution: %s)',
  async (isLater) => {
    const fresh = freshly();
    const world = runPlan(planOf([approval('ask'), board({ members: FIRST })]), {
      ...{ steps: { team_coder: never }, historyIsFull: fresh.historyIsFull },
      openBoard: () => ({ tasks: [{ subject: 'own' }], members: FIRST }),
    });
    await world.settle();
    world.signal('task', { subject: 'one', name: 'one' });
    await expect(world.update('task', { subject: 'two', blocked_by: 'one', key: 7 })).resolves.toEqual({ outcome: 'early' });
    world.signal('task', { subject: 'three', blocked_by: 'nobody' });
    await world.settle();
    if (isLater) await fresh.again(world);
    world.signal('approve', { by: 'fran' });
    await world.settle();
    expect(world.step('team').board?.tasks).toMatchObject([{ subject: 'own' }, { subject: 'one' }, { subject: 'two', blockedBy: [2] }]);
    expect(outcomes(world).filter((one) => !one.startsWith('unknown') && !one.includes('for ask'))).toEqual([
      ...Array.from({ length: 3 }, () => 'early: the board of team is not open yet: it is kept until then'),
      'applied: it is #2 of team',
      'applied: it is #3 of team',
      expect.stringContaining('refused: unknown_blocker'),
    ]);
  },
);

test('tasks that are kept are bounded, and refused with the reason when the run ends without the board', async () => {
  const world = runPlan(planOf([command('build'), board({ members: FIRST })]), { steps: { build: never } });
  await world.settle();
  for (let i = 0; i < 1000; i++) world.signal('task', { subject: `task ${i}` });
  await expect(world.update('task', { subject: 'one more' })).rejects.toMatchObject({
    outcome: 'early',
    message: expect.stringContaining('1000 tasks wait for it already'),
  });
  world.cancel('enough');
  await expect(world.result).rejects.toThrow();
  expect(outcomes(world).filter((one) => one === 'late: its board never opened')).toHaveLength(1000);
});

test('a board that is over takes nothing', async () => {
  const world = runPlan(planOf([board({ members: FIRST }), approval('ask')]), { openBoard: () => ({ tasks: [], members: FIRST }) });
  await world.elapse();
  await expect(world.update('task', 'late')).rejects.toMatchObject({
    outcome: 'late',
    message: expect.stringContaining('no board is open any more'),
  });
});
