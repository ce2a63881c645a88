import { createHook } from 'node:async_hooks';
import type { Step } from '../../plan/steps/step';
import { agent, command, parallel, review, reviewed, withParts } from '../support/steps';
import { planOf, runPlan, type StepBehaviour } from '../support/world';
import { type Program, programs } from './program';

/**
 * Each promise in workflow code costs a stack trace. Counts the promises of the run, with those of the world that the test plays. A step
 * that does not wait makes few, and a remembered call makes none.
 */
async function promisesOf(steps: Step[], behaviours: Record<string, StepBehaviour>): Promise<number> {
  const byId = Object.fromEntries(steps.flatMap(({ id }) => (id.startsWith('decide') ? [[id, votes]] : [])));
  let made = 0;
  const hook = createHook({
    init(_id, type) {
      if (type === 'PROMISE') made += 1;
    },
  });
  hook.enable();
  const world = runPlan(planOf(steps), { steps: behaviours, work: programs(byId) });
  await world.result;
  hook.disable();
  return made;
}

const VOTERS = [1, 2, 3, 4, 5];
const votersOf = (i: number): Step[] => VOTERS.map((n) => agent(`v${i}-${n}`));
const votes: Program = async (ctx, { parts }) => {
  await ctx.all('votes', Object.fromEntries(parts.map((part) => [part.id, { part, turn: 1 }])));
};

/** The number of promises that one more of these blocks costs. */
async function promisesEach(block: (i: number) => Step[]): Promise<number> {
  const many = (count: number) => Array.from({ length: count }, (_, i) => block(i)).flat();
  const passing = Object.fromEntries(many(60).flatMap(({ id, kind }) => (kind === 'review' ? [[id, () => reviewed('pass')]] : [])));
  const [few, more] = [await promisesOf(many(20), passing), await promisesOf(many(60), passing)];
  return (more - few) / 40;
}

describe('promises of a step', () => {
  it.each([
    ['a command', 15.9, (i: number) => [command(`c${i}`)]],
    ['a command of a chain', 5.9, (i: number) => [command(`c${i}`, { chained: true })]],
    ['an agent', 20.9, (i: number) => [agent(`a${i}`)]],
    ['an agent and a review', 42.3, (i: number) => [agent(`a${i}`), review(`r${i}`, `a${i}`)]],
    ['five branches', 123.4, (i: number) => [parallel(`p${i}`, votersOf(i))]],
    ['five parts side by side', 114.4, (i: number) => [withParts(`decide${i}`, votersOf(i))]],
  ])('%s makes no more than %d', async (_what, most, block) => {
    expect(await promisesEach(block)).toBeLessThanOrEqual(most);
  });
});
