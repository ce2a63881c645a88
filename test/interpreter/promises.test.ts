import { createHook } from 'node:async_hooks';
import type { Step } from '../../plan/step';
import { agent, command, review, reviewed } from '../support/steps';
import { planOf, runPlan, type StepBehaviour } from '../support/world';

/**
 * Each promise in workflow code costs a stack trace. What a step that does not wait makes of them, with those of the world that the test
 * plays, is no more than when each kind still resumed by hand; what a call remembers costs none of its own.
 */
async function promisesOf(steps: Step[], behaviours: Record<string, StepBehaviour>): Promise<number> {
  let made = 0;
  const hook = createHook({
    init(_id, type) {
      if (type === 'PROMISE') made += 1;
    },
  });
  hook.enable();
  const world = runPlan(planOf(steps), { steps: behaviours });
  await world.result;
  hook.disable();
  return made;
}

/** One more of these costs so much. */
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
  ])('%s makes no more than %d', async (_what, most, block) => {
    expect(await promisesEach(block)).toBeLessThanOrEqual(most);
  });
});
