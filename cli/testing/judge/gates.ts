import type { ExpectedGate } from '../../../compiler/test-file/test-file';
import type { GateView } from '../../../plan/people/gate';
import { names } from '../people';
import type { TestFacts } from '../test-facts';
import type { Failing } from './failing';

/** All gates that opened, in order, and no other. */
export function judgeExpectedGates(expected: readonly ExpectedGate[] | undefined, { gates }: TestFacts): Failing[] {
  if (!expected) return [];
  const opened = gates.map(({ step }) => step);
  const wanted = expected.map(({ step }) => step);
  const same = wanted.length === opened.length && wanted.every((step, i) => names(step, opened[i] ?? ''));
  if (!same) return [{ what: 'gates', expected: wanted, got: opened }];
  return expected.flatMap(({ question }, i): Failing[] => {
    const got = gates[i]?.question ?? '';
    return question === undefined || got.includes(question) ? [] : [{ what: `gates.${wanted[i]}.question`, expected: question, got }];
  });
}

/** The gates that are open at the end, in any order. */
export function judgeOpenGates(expected: readonly string[] | undefined, gates: readonly Pick<GateView, 'step'>[]): Failing[] {
  if (!expected) return [];
  const open = gates.map(({ step }) => step);
  const same = expected.length === open.length && expected.every((step) => open.some((gate) => names(step, gate)));
  return same ? [] : [{ what: 'open', expected: [...expected], got: open }];
}
