import { type FailureCode, ThermidorFailure } from '../../plan/run/failure';
import type { StepOutput } from '../../plan/steps/step-activity';
import { reviewed } from './steps';
import { artifact, type StepBehaviour } from './world';

/** What the steps of a run in memory do. */

export const fails = (): never => {
  throw new ThermidorFailure('command.failed', 'disk full');
};

/** Fails the first time, and has no output from then on. */
export function failsFirst(code: FailureCode = 'command.failed'): StepBehaviour {
  let tries = 0;
  return () => {
    tries += 1;
    if (tries === 1) throw new ThermidorFailure(code, 'disk full');
    return {};
  };
}

/** Ends after some minutes of the run's own clock. */
export function takes(minutes: number): StepBehaviour {
  return ({ call, step }) => new Promise((resolve) => call.clock.after(minutes * 60_000, () => resolve({ artifact: artifact(step) })));
}

/** The verdicts of one review, in the order in which it judges; the last again and again. */
export function saying(...words: ('pass' | 'revise' | 'block')[]): StepBehaviour {
  let judged = 0;
  return (): StepOutput => reviewed(words[Math.min(judged++, words.length - 1)] ?? 'pass');
}
