import type { Json } from '../../../plan/text/json';
import { differences } from '../difference';
import type { Failing } from './failing';

export function judgeValue(what: string, expected: { value: Json } | undefined, got: Json | undefined, subset = false): Failing[] {
  if (!expected) return [];
  const found = differences(expected.value, got, { subset });
  return found.length === 0 ? [] : [{ what, expected: expected.value, ...gotten(got), differences: found }];
}

/** The actual value; empty if there is none. */
export function gotten(value: Json | undefined): { got?: Json } {
  return value === undefined ? {} : { got: value };
}
