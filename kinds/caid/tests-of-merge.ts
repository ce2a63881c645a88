import type { SubmitCandidateInput } from '../../plan/queue/landing';
import type { TeamStep } from './team';

/**
 * Where no test is for each merge, that of the end may be red until the last task is there; what is green by it stays so. So it is once the whole was red by it.
 * Where it is that of each merge, too, the queue says what was green by it.
 */
export function keptGreen({ place }: TeamStep, wasRed = false): Pick<SubmitCandidateInput, 'staysGreen'> {
  const { testEach, testEnd } = place.step;
  if (testEnd === undefined) return {};
  return testEach === undefined || testEach === testEnd || wasRed ? { staysGreen: true } : {};
}
