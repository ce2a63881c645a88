import { CATEGORIES } from '../../../plan/people/category';
import type { JsonObject } from '../../../plan/text/json';
import { DURATION, ENVIRONMENT_VARIABLE, NAME, OUTPUT_NAME } from '../patterns';
import { LONGEST_MS, RANGES } from '../ranges';
import type { NameRule, SimpleType, ValueType } from '../row';

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
      return SIMPLE[type.kind];
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

const TEXT: JsonObject = { type: 'string', pattern: '\\S' };
const NAMED: JsonObject = { type: 'string', pattern: NAME.source };
const STEPS: JsonObject = { type: 'array', minItems: 1, items: reference('step') };

const LEVEL: JsonObject = { anyOf: [TEXT, reference('level')] };

const SIMPLE: Readonly<Record<SimpleType, JsonObject>> = {
  text: TEXT,
  template: TEXT,
  scalar: { type: ['string', 'number', 'boolean'] },
  expression: { type: ['string', 'number', 'boolean', 'null'] },
  value: { type: ['string', 'number', 'boolean', 'null'] },
  data: {},
  form: {},
  boolean: { type: 'boolean' },
  nothing: { type: 'null' },
  duration: { type: 'string', pattern: `^\\s*${DURATION.source.slice(1, -1)}\\s*$` },
  milliseconds: { type: 'integer', minimum: 1, maximum: LONGEST_MS },
  share: {
    anyOf: [
      { type: 'number', exclusiveMinimum: 0, maximum: RANGES.quorum.max },
      { type: 'string', pattern: '^\\s*(\\d+( */ *\\d+)?|\\d*\\.\\d+)\\s*$' },
    ],
  },
  json: {},
  schema: { anyOf: [TEXT, { type: 'object' }] },
  path: TEXT,
  branch: TEXT,
  repository: TEXT,
  'pipeline-name': NAMED,
  id: NAMED,
  step: TEXT,
  agent: NAMED,
  person: TEXT,
  member: TEXT,
  channel: TEXT,
  variable: NAMED,
  choice: NAMED,
  'output-name': { type: 'string', pattern: OUTPUT_NAME.source },
  trigger: { anyOf: [{ type: 'string', pattern: '^\\s*(manual|cron\\s+(".*"|\'.*\'))\\s*$' }, reference('trigger')] },
  escalation: { anyOf: [LEVEL, { type: 'array', minItems: 1, items: LEVEL }] },
  steps: STEPS,
  branches: { type: 'array', minItems: 1, items: reference('branch') },
};
