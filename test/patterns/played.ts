import { ThermidorFailure } from '../../plan/run/failure';
import type { StepOutput } from '../../plan/steps/step-activity';
import { isJsonObject, type JsonObject } from '../../plan/text/json';
import { artifact, type Seen, type StepBehaviour, type World } from '../support/world';

/** Questions of tests about any pattern that was played in memory. */

type Played = { world: World };

export const red = new ThermidorFailure('command.failed', 'exit code 1');

/** Waits until nothing more happens without a move of the clock. */
export async function settled({ world }: Played): Promise<void> {
  for (let i = 0; i < 12; i++) await world.settle();
}

/** Expects that nothing was started twice. */
export function unique({ world }: Played): void {
  const starts = world.order();
  expect(new Set(starts).size).toBe(starts.length);
}

/** The decision of a rule that became the output of a step. @param composed the addresses at which the step's output is composed */
export function ruledOutput(world: World, composed: RegExp): JsonObject {
  const output = Object.entries(world.composed).findLast(([address]) => composed.test(address))?.[1];
  const sha256 = output?.kind === 'artifact' ? output.artifact.sha256 : '';
  const found = Object.entries(world.ruled).find(([address]) => artifact(address).sha256 === sha256)?.[1];
  return isJsonObject(found) ? found : {};
}

/** Fails `times` times, and then succeeds. */
export function failsAtFirst(times: number): StepBehaviour {
  let left = times;
  return ({ call }): StepOutput => {
    if (left-- > 0) throw red;
    return { artifact: artifact(call.options.address ?? '') };
  };
}

/** Answers after `ms` milliseconds. */
export function later({ call }: Seen, ms: number, then: () => StepOutput | Promise<StepOutput>): Promise<StepOutput> {
  return new Promise((resolve, reject) => {
    call.clock.after(ms, () => {
      try {
        resolve(then());
      } catch (error) {
        reject(error as Error);
      }
    });
  });
}
