import type { Plan } from '../../plan/plan';
import { fails } from '../support/behaviours';
import { agent, approval, command, withParts } from '../support/steps';
import { artifact, planOf, type World } from '../support/world';
import { carry, ran, rerun, settle } from './carrying';
import { type Program, programs } from './program';

/** Three votes, and a decision about them that fails. */
const PLAN: Plan = planOf([withParts('decide', [agent('a'), agent('b'), agent('c'), command('sum')]), command('after')]);
const voting: Program = async (ctx, { part }) => {
  await ctx.step(part('a'), { turn: 1 });
  await ctx.all('rest', { b: { part: part('b'), turn: 1 }, c: { part: part('c'), turn: 1 } });
  await ctx.step(part('sum'), { turn: 1 });
};
const VOTING = { work: programs({ decide: voting }) };

const inTurns: Program = async (ctx, { part }) => {
  await ctx.loop('turns', artifact('first'), async (inner, given, turn) => {
    const made = await inner.step(part('a'), { turn, given: { given } });
    await inner.step(part('b'), { turn });
    await inner.sleep('rest', 1000);
    return turn === 3 ? { done: given } : { next: made.artifact ?? given };
  });
};
const IN_TURNS = { work: programs({ decide: inTurns }) };

const goesOn = async (plan: Plan, before: World, from: string, options: Parameters<typeof rerun>[2]): Promise<World> => {
  const world = rerun(plan, carry(before, from).carry, options);
  await world.completes();
  return world;
};

describe('a rerun of a step with parts', () => {
  it('carries a settled one whole', async () => {
    const answer = carry(await ran(PLAN, VOTING), 'after');
    expect(Object.keys(answer.carry.records).sort()).toEqual(['decide', ...['decide[1]/a', 'decide[1]/b', 'decide[1]/c', 'decide[1]/sum']]);
    const world = await goesOn(PLAN, await ran(PLAN, VOTING), 'after', VOTING);
    expect(world.order()).toEqual(['after#1~1']);
  });

  it('from within carries what had settled before the start began, and makes the rest again', async () => {
    const before = await ran(PLAN, { ...VOTING, steps: { sum: fails } });
    expect((await goesOn(PLAN, before, 'decide[1]/sum', VOTING)).order()).toEqual(['decide[1]/sum#1~1', 'after#1~1']);
    const slow = await ran(PLAN, {
      ...VOTING,
      steps: { c: ({ call }) => new Promise((resolve) => call.clock.after(1000, () => resolve({ artifact: artifact('c') }))), sum: fails },
    });
    const from = await goesOn(PLAN, slow, 'decide[1]/b', VOTING);
    expect(from.order()).toEqual(['decide[1]/b#1~1', 'decide[1]/c#1~1', 'decide[1]/sum#1~1', 'after#1~1']);
  });

  it('of one that was under way goes on in the turn that it was in, with what it remembers', async () => {
    const plan = planOf([withParts('decide', [agent('a'), agent('b')]), command('after')]);
    const before = await brokenOff(plan, 'decide[3]/b');
    const world = await goesOn(plan, before, 'decide[3]/b', IN_TURNS);
    expect(world.order()).toEqual(['decide[3]/b#1~1', 'after#1~1']);
    expect(world.status().steps.find(({ address }) => address === 'decide[3]/a')).toMatchObject({ state: 'done' });
    const earlier = await goesOn(plan, before, 'decide[3]/a', IN_TURNS);
    expect(earlier.order()).toEqual(['decide[3]/a#1~1', 'decide[3]/b#1~1', 'after#1~1']);
    // It gets what the turn before made.
    expect(earlier.seen[0]?.input.inputs).toEqual({ given: artifact('a-1-1') });
  });

  it('begins one again as a whole whose earlier turns nobody knows any more, and says so', async () => {
    const plan = planOf([withParts('decide', [agent('a'), agent('b')]), command('after')]);
    const answer = carry(await ran(plan, IN_TURNS), 'decide[3]/b');
    expect(answer.carry.records).toEqual({});
    expect(answer.notes).toEqual([expect.stringContaining('decide begins again as a whole')]);
    expect(carry(await ran(plan, IN_TURNS), 'decide[1]/b').notes).toHaveLength(1);
  });

  it('wants a turn if a part is named by its id alone', async () => {
    const before = await ran(PLAN, VOTING);
    expect(before.query('carry', { from: 'b' })).toMatchObject({ problem: expect.stringContaining('decide[1]/b') });
    expect(before.query('carry', { from: 'decide[1]/nobody' })).toMatchObject({ problem: expect.stringContaining('no step') });
  });

  it('asks a person again whose yes was to what runs again, and not one whose yes came before', async () => {
    const asking: Program = async (ctx, { part }) => {
      await ctx.step(part('a'), { turn: 1 });
      await ctx.step(part('person'), { turn: 1 });
      await ctx.step(part('sum'), { turn: 1 });
    };
    const plan = planOf([withParts('decide', [agent('a'), approval('person'), command('sum')]), command('after')]);
    const options = { work: programs({ decide: asking }) };
    const before = await ran(plan, { ...options, steps: { sum: fails } });
    before.signal('approve', { step: 'decide[1]/person', by: 'ann' });
    await settle(before);
    expect((await goesOn(plan, before, 'decide[1]/sum', options)).order()).toEqual(['decide[1]/sum#1~1', 'after#1~1']);
    const again = rerun(plan, carry(before, 'decide[1]/a').carry, options);
    await settle(again);
    expect(again.status().gates.map(({ step }) => step)).toEqual(['decide[1]/person']);
  });
});

it('remembers what a person has said to the step itself, and asks again if that does not hold', async () => {
  const asking: Program = async (ctx, { part }) => {
    await ctx.step(part('a'), { turn: 1 });
    await ctx.gate('own', { kind: 'approval', show: [] });
    await ctx.step(part('b'), { turn: 1 });
  };
  const plan = planOf([command('first'), withParts('decide', [agent('a'), agent('b')])]);
  const options = { work: programs({ decide: asking }) };
  const before = await ran(plan, { ...options, steps: { b: () => new Promise<never>(() => undefined) } });
  before.signal('approve', { step: 'decide', by: 'ann' });
  await settle(before);
  const world = await goesOn(plan, before, 'decide[1]/b', options);
  expect(world.order()).toEqual(['decide[1]/b#1~1']);
  expect(world.gateInputs).toEqual([]);
  const again = rerun(plan, carry(before, 'decide[1]/b', ['first']).carry, options);
  await settle(again);
  expect(again.status().gates.map(({ step }) => step)).toEqual(['decide']);
});

/** A run that is cancelled while one of its parts is at work. */
async function brokenOff(plan: Plan, at: string): Promise<World> {
  const world = await ran(plan, {
    ...IN_TURNS,
    steps: { b: ({ call }) => (call.options.address === `${at}#1~1` ? new Promise<never>(() => undefined) : {}) },
  });
  return world;
}
