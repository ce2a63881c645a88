import type { Json } from '../../plan/text/json';
import { agent, approval, command } from '../support/steps';
import { planOf, runPlan, type World } from '../support/world';
import { board, coder } from './board-play';

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
  await expect(before.update(name, payload)).rejects.toMatchObject({
    outcome: 'early',
    message: expect.stringContaining('is not open yet'),
  });
});

test('a board that is over takes nothing', async () => {
  const world = runPlan(planOf([board({ members: FIRST }), approval('ask')]), { openBoard: () => ({ tasks: [], members: FIRST }) });
  await world.elapse();
  await expect(world.update('task', 'late')).rejects.toMatchObject({
    outcome: 'late',
    message: expect.stringContaining('no board is open any more'),
  });
});
