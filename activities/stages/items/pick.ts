import type { StageCall } from '../stage-call';
import { stageFailed } from '../stage-failure';
import { type Item, itemObject, member } from './item';

/**
 * `pick a,b.c`: the named fields of every object, in that order. A name is a key and no path; a value that is no object stays unchanged.
 */
export function pick(call: StageCall, items: readonly Item[]): Item[] {
  const [list] = call.words;
  if (!list) throw stageFailed(call, 'pick requires a comma-separated field list');
  const names = list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return items.map((item) =>
    typeof item === 'object' && item !== null ? itemObject(names.map((name) => [name, member(item, name)])) : item,
  );
}
