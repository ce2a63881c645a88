import { textKey } from '../../schemas/pattern-key';
import { flagText, type StageCall } from '../stage-call';
import { stageFailed } from '../stage-failure';
import { byPath, type Item } from './item';

/** `groupBy --key K`: `{key, items, count}` for each key, in the order in which they first come. */
export function groupBy(call: StageCall, items: readonly Item[]): Item[] {
  const path = flagText(call, 'key')?.trim();
  if (!path) throw stageFailed(call, 'groupBy requires --key');
  const groups = new Map<string | undefined, { key: Item; items: Item[] }>();
  for (const item of items) {
    const key = byPath(item, path);
    const text = JSON.stringify(key) as string | undefined;
    const name = text === undefined ? undefined : textKey(text);
    const group = groups.get(name);
    if (group) group.items.push(item);
    else groups.set(name, { key, items: [item] });
  }
  return [...groups.values()].map((group) => ({ key: group.key, items: group.items, count: group.items.length }));
}
