import { flagNumber, type StageCall } from '../stage-call';
import { stageFailed } from '../stage-failure';
import type { Item } from './item';

const HOW_MANY = 10;

/** `head --n N`: the first N items. */
export function head(call: StageCall, items: readonly Item[]): Item[] {
  const n = flagNumber(call, 'n') ?? HOW_MANY;
  if (!Number.isFinite(n) || n < 0) throw stageFailed(call, 'head --n must be a non-negative number');
  return items.slice(0, Math.ceil(n));
}
