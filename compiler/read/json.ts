import { type Json, type JsonObject, setField } from '../../plan/text/json';
import type { SourceNode } from './node';

/** A node's value as JSON. A key `__proto__` becomes an own property like any other. */
export function jsonOf(node: SourceNode): Json {
  switch (node.kind) {
    case 'scalar':
      return node.value;
    case 'sequence':
      return node.items.map(jsonOf);
    case 'mapping': {
      const object: JsonObject = {};
      for (const { key, value } of node.entries) setField(object, key, jsonOf(value));
      return object;
    }
  }
}
