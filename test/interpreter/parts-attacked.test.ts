import type { Plan } from '../../plan/plan';
import { failsFirst } from '../support/behaviours';
import { agent, approval, command, held, withParts } from '../support/steps';
import { planOf, runPlan, type World, type WorldOptions } from '../support/world';
import { carry, rerun, settle } from './carrying';
import { type Freshly, freshly, type Program, programs } from './program';
import { needing } from './spending';

/**
 * Two turns of parts with every kind of wait: for a budget, for an operator (twice) and for a person. However often the run continues in a
 * fresh execution, whenever it is cancelled, and from whatever step a rerun starts, nothing is done twice and nothing is left out.
 */
const PARTS = [agent('write', { budget: { tokens: 20 } }), command('build', held), command('check', held), approval('person')];
const PLAN: Plan = planOf([withParts('decide', PARTS), command('after')]);

const program: Program = async (ctx, { part }) => {
  await ctx.loop('turns', 0, async (inner, state, turn) => {
    await inner.step(part('write'), { turn });
    const beside = await inner.all('beside', {
      build: { part: part('build'), turn },
      checked: async (own) => (await own.step(part('check'), { turn })).state,
    });
    if (Object.keys(beside.ended).length !== 2) throw new Error(JSON.stringify(beside));
    await inner.sleep('rest', 1000);
    await inner.step(part('person'), { turn });
    return turn === 2 ? { done: state } : { next: state + 1 };
  });
};

const options = (): WorldOptions => {
  const behaviours = { build: [failsFirst(), failsFirst()], check: [failsFirst(), failsFirst()] };
  const inTurn = (of: typeof behaviours.build): (typeof of)[number] => {
    return (seen) => of[(seen.address?.path[0]?.index ?? 1) - 1]?.(seen) ?? {};
  };
  return {
    work: programs({ decide: program }),
    steps: { write: needing(30), build: inTurn(behaviours.build), check: inTurn(behaviours.check) },
  };
};

/** The actions of people, in order; each is possible once the run waits. */
const ACTIONS: ((world: World) => Promise<unknown>)[] = [1, 2].flatMap((turn) => [
  (world: World) => world.update('extend_budget', { step: `decide[${turn}]/write`, tokens: 30 }),
  (world: World) => world.update('retry', { step: `decide[${turn}]/build` }),
  (world: World) => world.update('skip', { step: `decide[${turn}]/check`, by: 'ops' }),
  (world: World) => world.update('approve', { step: `decide[${turn}]/person`, by: 'ann' }),
]);

const rest = async (world: World): Promise<void> => {
  await settle(world);
  while (world.clock.tick()) await settle(world);
};

/** Plays to the end, or up to an action, with a fresh execution before each action that `picks` selects. */
async function played(picks: (action: number) => boolean, upTo = ACTIONS.length): Promise<World> {
  const fresh: Freshly = freshly();
  const world = runPlan(PLAN, { ...options(), historyIsFull: fresh.historyIsFull });
  await rest(world);
  for (const [i, act] of ACTIONS.slice(0, upTo).entries()) {
    if (picks(i)) await fresh.again(world);
    await rest(world);
    await act(world);
    await rest(world);
  }
  if (picks(upTo)) await fresh.again(world);
  return world;
}

const DONE = [
  ...[1, 2].flatMap((turn) => [
    ...[`decide[${turn}]/write#1~1`, `decide[${turn}]/write#1~1`],
    ...[`decide[${turn}]/build#1~1`, `decide[${turn}]/check#1~1`, `decide[${turn}]/build#1~2`],
  ]),
  'after#1~1',
];

describe('parts in turns', () => {
  it.each(ACTIONS.map((_, i) => i))('come to the same with a fresh execution before what people do as number %d', async (one) => {
    const world = await played((i) => i === one);
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.executions).toBe(2);
    expect(world.order()).toEqual(DONE);
  });

  it('come to the same with a fresh execution before each', async () => {
    const [plain, world] = [await played(() => false), await played(() => true)];
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.executions).toBe(ACTIONS.length + 1);
    expect(world.order()).toEqual(DONE);
    expect(plain.order()).toEqual(DONE);
    expect(world.status().steps).toEqual(plain.status().steps);
    expect(world.step('write').budget?.tokens).toMatchObject({ spent: 30, reserved: 0 });
  });

  it.each(ACTIONS.map((_, i) => i))(
    'leave nothing open where the run is cancelled after %d of what people do, in a fresh execution',
    async (upTo) => {
      const world = await played((i) => i === upTo, upTo);
      await settle(world);
      const before = world.order().length;
      world.cancel();
      await rest(world);
      await expect(world.result).rejects.toThrow();
      expect(world.order()).toHaveLength(before);
      expect(world.status().gates).toEqual([]);
      expect(world.status().steps.filter(({ state }) => state === 'running' || state === 'waiting' || state === 'held')).toEqual([]);
    },
  );

  it.each([
    ['write', ['write', 'write', 'build', 'check', 'build']],
    // `check` runs again because its parallel sibling had not settled before it began.
    ['build', ['build', 'check', 'build']],
    ['person', []],
  ])('are taken up by a rerun from %s of the second turn, and nothing before it is done again', async (from, again) => {
    const before = await played((i) => i === 5, 7);
    before.cancel();
    await rest(before);
    const fresh = freshly();
    const { carry: carried } = carry(before, `decide[2]/${from}`);
    const world = rerun(PLAN, carried, { ...options(), historyIsFull: fresh.historyIsFull });
    await rest(world);
    for (const act of ACTIONS.slice(4)) {
      await fresh.again(world);
      await rest(world);
      await act(world).catch(() => undefined);
      await rest(world);
    }
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(world.order().map((address) => address.replace(/^decide\[2\]\/(\w+)#.*$/, '$1'))).toEqual([...again, 'after#1~1']);
  });
});
