import type { Path } from '../../plan/expressions/expression';
import type { Located, Report, SourceSpan } from '../diagnostics/diagnostic';
import { OUTPUT_NAME } from '../language/patterns';
import { RANGES } from '../language/ranges';
import { entryOf, type MappingNode } from '../read/node';
import { integerOf, textOf } from './values';

/** A step that emits items while it works: the schema of an item, and how many there may be. */
export interface EmitsSource {
  name: Located<string>;
  at: SourceSpan;
  maxItems?: number;
  maxWaiting?: number;
}

/** A loop over what another step emits, as written. */
export interface StreamSource {
  producer: Located<string>;
  key?: Located<Path>;
  depends?: Located<Path>;
  files?: Located<Path>;
}

/** Reads `emits: Item.json`, with `max_items` and `max_waiting`. */
export function readEmits(node: MappingNode, report: Report): EmitsSource | undefined {
  const [emits, items, waiting] = ['emits', 'max_items', 'max_waiting'].map((key) => entryOf(node, key));
  const maxItems = items && integerOf(items, RANGES.maxItems.min, RANGES.maxItems.max, report);
  const maxWaiting = waiting && integerOf(waiting, RANGES.maxWaiting.min, RANGES.maxWaiting.max, report);
  if (!emits) {
    for (const bound of [items, waiting])
      if (bound)
        report('shape.missing-key', bound.keyAt, `"${bound.key}" requires "emits"`, 'add `emits: Item.json`, the schema of an item');
    return undefined;
  }
  const name = textOf(emits, report);
  if (!name) return undefined;
  if (!OUTPUT_NAME.test(name.value)) {
    report(
      'names.invalid',
      name.at,
      `"${name.value}" is not a valid name for an item`,
      'write a file name without a folder, such as Item.json',
    );
    return undefined;
  }
  const source: EmitsSource = { name, at: emits.keyAt };
  if (maxItems !== undefined) source.maxItems = maxItems;
  if (maxWaiting !== undefined) source.maxWaiting = maxWaiting;
  return source;
}
