import { flagText, hasFlag, type StageCall } from '../stage-call';
import { byPath, coerced, type Item } from './item';

/**
 * `sort --key K --desc`, stable. Numbers by value, anything else by text; null or missing values come last, and with `--desc`, which
 * reverses the whole order, first.
 */
export function sort(call: StageCall, items: readonly Item[]): Item[] {
  const path = flagText(call, 'key');
  const sign = hasFlag(call, 'desc') ? -1 : 1;
  // Keyed beforehand, because an array's own sort never compares undefined values.
  const keyed = items.map((item) => ({ item, key: path ? byPath(item, path) : item }));
  return keyed.sort((a, b) => sign * compare(a.key, b.key)).map(({ item }) => item);
}

function compare(a: Item, b: Item): number {
  const missing = (key: Item) => (key === undefined || key === null ? 1 : 0);
  if (missing(a) || missing(b)) return missing(a) - missing(b);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [left, right] = [coerced(a), coerced(b)];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
