import { flagText, type StageCall } from '../stage-call';
import { stageFailed } from '../stage-failure';
import { asLine, byPath, type Item, isItemObject, itemObject, member } from './item';
import { replacePlaceholders } from './placeholders';

/**
 * `map --wrap K`: `{K: item}`; `map --unwrap K`: the item's field; `map k=v id={{id}}`: adds fields. A value that is no object becomes
 * `{value: item}` before it gets fields.
 */
export function map(call: StageCall, items: readonly Item[]): Item[] {
  const wrap = flagText(call, 'wrap');
  const unwrap = flagText(call, 'unwrap');
  if (wrap && unwrap) throw stageFailed(call, 'map cannot use both --wrap and --unwrap');
  if (unwrap) return items.map((item) => (typeof item === 'object' ? member(item, unwrap) : undefined));
  const assignments = call.words.flatMap(assignment);
  return items.map((item) => {
    const base = wrap ? itemObject([[wrap, item]]) : item;
    return assignments.length === 0 ? base : withFields(item, base, assignments);
  });
}

interface Assignment {
  key: string;
  text: string;
}

/** An object's placeholders see the fields that were added before them; those of anything else see the item as it came in. */
function withFields(item: Item, base: Item, assignments: readonly Assignment[]): Item {
  let made = isItemObject(base) ? base : { value: base };
  for (const { key, text } of assignments) {
    const value = fill(text, base === item && isItemObject(item) ? made : item);
    made = itemObject([...Object.entries(made), [key, value]]);
  }
  return made;
}

/** A word without `=`, or without a name before it, says nothing. */
function assignment(word: string): Assignment[] {
  const equals = word.indexOf('=');
  const key = word.slice(0, Math.max(equals, 0)).trim();
  return key === '' ? [] : [{ key, text: word.slice(equals + 1) }];
}

/** Placeholders here are paths alone, without filters. */
function fill(text: string, item: Item): string {
  return replacePlaceholders(text, (path) => {
    const value = path === 'this' ? item : byPath(item, path);
    return value === undefined || value === null ? '' : asLine(value);
  });
}
