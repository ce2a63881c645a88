import { defined } from '../../plan/defined';
import { asText, type ExpressionScope, render, spelledAtPath } from '../../plan/expressions/evaluate';
import type { Template } from '../../plan/expressions/expression';
import { type ItemNames, MOST_NAMED, NAMES_AHEAD } from '../../plan/steps/container-activities';
import { INDEX_VAR, ITEM_VAR } from '../../plan/steps/item-names';
import type { ForEachStep } from '../../plan/steps/step';
import type { Json } from '../../plan/text/json';
import { jsonText } from '../../plan/text/json-text';
import { shortened } from '../../plan/text/shortened';
import { numberAt, type Spelled } from '../../plan/text/spelled-json';
import { visibleText } from '../../plan/text/visible-text';
import type { RunSecrets } from '../run/run-secrets';
import type { Toolbox } from '../toolbox';

const NAME_CHARACTERS = 60;

/** A loop, as far as the names of its items go. */
export interface NamedLoop {
  id: string;
  label?: Template;
  itemVar: string;
  indexVar: string;
}

/**
 * The name of one item: by the loop's `label`, or the item itself, if it is short. On one line, without secrets, which are masked before it
 * is cut. Undefined if it has no name.
 */
export function itemName(
  item: Spelled,
  index: number,
  { label, itemVar, indexVar }: NamedLoop,
  scope: ExpressionScope,
  { mask }: Pick<RunSecrets, 'mask'>,
): string | undefined {
  if (!label) {
    const text = asText(item);
    return text.length <= NAME_CHARACTERS && !text.includes('\n') ? onOneLine(mask(text)) : undefined;
  }
  const inLoop: ExpressionScope = {
    ...scope,
    variable(name, path) {
      if (name === itemVar) return spelledAtPath(item, path);
      return name === indexVar ? index : scope.variable(name, path);
    },
  };
  return onOneLine(mask(render(label, inLoop)));
}

/** The names of a list's items; undefined if none has a name, or if they are too many to examine one by one. */
export async function namesOfItems(
  { artifacts }: Pick<Toolbox, 'artifacts'>,
  list: readonly Json[],
  loop: NamedLoop,
  scope: ExpressionScope,
  secrets: Pick<RunSecrets, 'mask'>,
): Promise<ItemNames | undefined> {
  if (list.length > MOST_NAMED) return undefined;
  const names = list.map((item, index) => itemName(numberAt(list, index) ?? item, index, loop, scope, secrets) ?? null);
  if (names.every((name) => name === null)) return undefined;
  const first = names.slice(0, NAMES_AHEAD);
  if (names.length <= NAMES_AHEAD) return { first };
  const stored = await artifacts.put(jsonText(names), { mediaType: 'application/json', name: `${loop.id}.names.json` });
  return { first, list: stored };
}

function onOneLine(text: string): string | undefined {
  const line = visibleText(text).replace(/\s+/g, ' ').trim();
  return line === '' ? undefined : shortened(line, NAME_CHARACTERS);
}

/** A step's naming of its items, and the names that its label may use. */
export function namedLoop({ id, label, itemVar = ITEM_VAR, indexVar = INDEX_VAR }: ForEachStep): NamedLoop {
  return { id, itemVar, indexVar, ...defined({ label }) };
}
