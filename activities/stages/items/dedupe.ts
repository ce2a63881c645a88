import { textKey } from '../../schemas/pattern-key';
import { flagText, type StageCall } from '../stage-call';
import { byPath, type Item } from './item';

/** `dedupe --key K`: the first item of each key, or of each whole item. */
export function dedupe(call: StageCall, items: readonly Item[]): Item[] {
  const path = flagText(call, 'key');
  const seen = new Set<string | undefined>();
  return items.filter((item) => {
    const text = JSON.stringify(path ? byPath(item, path) : item) as string | undefined;
    const key = text === undefined ? undefined : textKey(text);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
