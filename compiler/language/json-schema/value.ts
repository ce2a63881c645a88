import { CATEGORIES } from '../../../plan/people/category';
import type { JsonObject } from '../../../plan/text/json';
import { ENVIRONMENT_VARIABLE, NAME } from '../patterns';
import type { NameRule, ValueType } from '../row';
import { SIMPLE_TYPES } from '../simple-types';

/** What a value may be, as JSON Schema. If a reader checks more closely than a schema can, the schema allows more. */
export function valueSchema(type: ValueType): JsonObject {
  switch (type.kind) {
    case 'integer':
      return { type: 'integer', minimum: type.min, maximum: type.max };
    case 'number':
      return { type: 'number', exclusiveMinimum: type.over, maximum: type.max };
    case 'word':
      return { type: 'string', enum: [...type.words] };
    case 'list': {
      const items = valueSchema(type.of);
      const list: JsonObject = { type: 'array', items, ...(type.filled ? { minItems: 1 } : {}) };
      return type.alone ? { anyOf: [items, list] } : list;
    }
    case 'map': {
      const names = NAME_RULES[type.names];
      return { type: 'object', ...(names ? { propertyNames: { pattern: names.source } } : {}), additionalProperties: valueSchema(type.of) };
    }
    case 'mapping':
      return reference(type.name);
    case 'body':
      return reference(type.of);
    case 'actions':
      return reference(type.key);
    case 'either':
      return { anyOf: type.of.map(valueSchema) };
    default:
      return SIMPLE_TYPES[type.kind].schema;
  }
}

export function reference(name: string): JsonObject {
  return { $ref: `#/definitions/${name}` };
}

const NAME_RULES: Readonly<Record<NameRule, RegExp | undefined>> = {
  arg: NAME,
  agent: NAME,
  'environment variable': ENVIRONMENT_VARIABLE,
  output: undefined,
  channel: undefined,
  category: new RegExp(`^(${CATEGORIES.join('|')})$`),
  any: undefined,
};
