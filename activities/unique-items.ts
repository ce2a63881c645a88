import type { FuncKeywordDefinition } from 'ajv';
import type { DataValidateFunction } from 'ajv/dist/types';
import { type Item, stableJson } from './stages/item';
import { textKey } from './text-key';

/**
 * `uniqueItems` in time by the length of the list: ajv compares each item with each, on the event loop. Items are equal as JSON Schema
 * says: whatever the order of their fields, `1` and `1.0`, but not `1` and `true` or `"1"`. What is wrong is said in ajv's words.
 */
export const UNIQUE_ITEMS = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  errors: true,
  compile: (wanted: boolean) => (wanted ? areUnique : () => true),
} as const satisfies FuncKeywordDefinition;

/** Names the last item that is there before, and where it is there last. */
const areUnique: DataValidateFunction = (items: readonly Item[]): boolean => {
  const seen = new Map<string, number>();
  let twice: { i: number; j: number } | undefined;
  for (const [i, item] of items.entries()) {
    const text = textKey(stableJson(item));
    const j = seen.get(text);
    if (j !== undefined) twice = { i, j };
    seen.set(text, i);
  }
  if (twice === undefined) return true;
  const { i, j } = twice;
  areUnique.errors = [
    { keyword: 'uniqueItems', message: `must NOT have duplicate items (items ## ${j} and ${i} are identical)`, params: { i, j } },
  ];
  return false;
};
