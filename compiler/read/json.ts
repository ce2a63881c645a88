import type { Json } from '../../plan/text/json';
import { isJsonNumber } from '../../plan/text/numbers';
import { plain, type Spelled, spelledList, spelledNumber, spelledObject } from '../../plan/text/spelled-json';
import type { SourceNode } from './node';

/** A node's value as JSON. A key `__proto__` becomes an own property like any other. */
export function jsonOf(node: SourceNode): Json {
  return plain(spelledOf(node));
}

/** A node's value as JSON, with the spelling of numbers. */
export function spelledOf(node: SourceNode): Spelled {
  switch (node.kind) {
    case 'scalar':
      return typeof node.value === 'number' ? numberInYaml(node.text, node.value) : node.value;
    case 'sequence':
      return spelledList(node.items.map(spelledOf));
    case 'mapping':
      return spelledObject(node.entries.map(({ key, value }) => [key, spelledOf(value)]));
  }
}

/** Number formats that only YAML has (`0x1F`, `007`) are read as YAML means them. */
function numberInYaml(text: string, value: number): Spelled {
  if (isJsonNumber(text)) return spelledNumber(text);
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? text : value;
}
