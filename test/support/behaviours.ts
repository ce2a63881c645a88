import { type FailureCode, ThermidorFailure } from '../../plan/run/failure';
import type { StepOutput } from '../../plan/steps/step-activity';
import { reviewed } from './steps';
import { artifact, type StepBehaviour } from './world';

/** Behaviours of steps for runs in memory. */

export const fails = (): never => {
  throw new ThermidorFailure('command.failed', 'disk full');
};

/** Fails the first time, and later succeeds without output. */
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

/** Gives the verdicts of one review in order. The last one is repeated. */
export function saying(...words: ('pass' | 'revise' | 'block')[]): StepBehaviour {
  let judged = 0;
  return (): StepOutput => reviewed(words[Math.min(judged++, words.length - 1)] ?? 'pass');
}
