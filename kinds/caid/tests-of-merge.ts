import type { SubmitCandidateInput } from '../../plan/queue/landing';
import { beganWith } from '../../workflows/interpreter/state/began-with';
import type { TeamStep } from './team';

/** Where no test is for each merge, that of the end may be red until the last task is there; what is green by it stays so. */
export function keptGreen({ it, place }: TeamStep): Pick<SubmitCandidateInput, 'staysGreen'> {
  const { testEach, testEnd } = place.step;
  return testEach === undefined && testEnd !== undefined && beganWith(it.run, 5) ? { staysGreen: true } : {};
}
