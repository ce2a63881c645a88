import type { MappingNode } from '../read/node';

/** Shows how to write a mapping as a list, with the writer's own names. */

/** The list for a mapping of mappings: each name becomes the id of an item. */
export function listHint(key: string, node: MappingNode): string {
  return node.entries.every(({ value }) => value.kind === 'mapping') ? itemsHint(key, node) : DASHES;
}

/** The list for a mapping of steps, which may be short: `a: echo a`. A mapping with an id is one step. */
export function stepsHint(key: string, node: MappingNode): string {
  return node.entries.some((entry) => entry.key === 'id') ? DASHES : itemsHint(key, node);
}

export function nameListHint(key: string, { entries }: MappingNode): string {
  return listed(
    key,
    entries.map((entry) => entry.key),
  );
}

export const DASHES = 'begin each item of the list with "- "';

function itemsHint(key: string, { entries }: MappingNode): string {
  return listed(
    key,
    entries.map((entry) => `{id: ${entry.key}, …}`),
  );
}

function listed(key: string, items: readonly string[]): string {
  return `write a list: \`${key}: [${items.slice(0, SHOWN).join(', ')}${items.length > SHOWN ? ', …' : ''}]\``;
}
const SHOWN = 3;
