import type { StageCall } from '../stage-call';
import { stageFailed } from '../stage-failure';
import { type Item, itemObject, member } from './item';

/** `pick a,b.c`: of every object the named fields, in that order. A name is a key and no path; what is no object stays as it is. */
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
