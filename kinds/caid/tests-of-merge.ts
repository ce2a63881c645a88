import type { Offer } from '../../plan/queue/landing';
import type { TeamStep } from './team';

/**
 * Which test keeps the target green. Without a test for each merge, the final one may be red until the last task is merged; once green by
 * it the target stays so. The same holds once the whole was red by it. If it is also the test of each merge, the queue knows what was green
 * by it.
 */
export function keptGreen({ place }: TeamStep, wasRed = false): Pick<Offer, 'staysGreen'> {
  const { testEach, testEnd } = place.step;
  if (testEnd === undefined) return {};
  return testEach === undefined || testEach === testEnd || wasRed ? { staysGreen: true } : {};
}
