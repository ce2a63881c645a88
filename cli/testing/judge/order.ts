import type { Expectation } from '../../../compiler/test-file/test-file';
import { names } from '../people';
import type { TestFacts } from '../test-facts';
import type { Failing } from './failing';

/**
 * Whether steps started in the expected order, others between them or not. A step without a round means its first start; those of one group
 * may start in any order, after all of the previous group.
 */
export function judgeOrder(expected: Expectation['order'], { starts }: TestFacts): Failing[] {
  if (!expected) return [];
  const flat = expected.map((group) => (group.length === 1 ? (group[0] ?? '') : group));
  const failing = (note: string): Failing[] => [{ what: 'order', expected: flat, got: starts, note }];
  let after = -1;
  let before = '';
  for (const group of expected) {
    let last = after;
    for (const step of group) {
      const at = starts.findIndex((start) => names(step, start));
      if (at < 0) return failing(`${step} never started`);
      if (at <= after) return failing(`${step} started before ${before}`);
      if (at > last) last = at;
    }
    after = last;
    before = starts[after] ?? '';
  }
  return [];
}
