import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MOST_OPTIONAL, outputSchema } from '../../../activities/adapters/anthropic/output-format';
import { field, type Json } from '../../../plan/text/json';
import { checkBody } from '../../support/messages-server/check-body';

/** The linter warns that the key, if written out, would make a promise of the object. */
const THEN = 'then';

/** A schema as far as the service can hold a model to it. */
function problems(schema: Json): string[] {
  const body = { model: 'm', max_tokens: 1, stream: true, messages: [{ role: 'user', content: 'q' }] };
  return checkBody({ ...body, output_config: { format: { type: 'json_schema', schema } } });
}

const SCHEMAS = join(__dirname, '../../../pipelines/schemas');

test.each(readdirSync(SCHEMAS))('%s can be expressed, and the service takes it', (file) => {
  const shaped = outputSchema(JSON.parse(readFileSync(join(SCHEMAS, file), 'utf8')));
  expect(shaped).toBeDefined();
  expect(problems(shaped ?? null)).toEqual([]);
});

test('forces no field, and lets the model say which it left out', () => {
  const schema = { type: 'object', required: ['a'], properties: { a: { type: 'string', minLength: 3 } } };
  expect(outputSchema(schema)).toEqual({
    type: 'object',
    additionalProperties: false,
    properties: { a: { type: 'string' }, missing_fields: { type: 'array', items: { type: 'string' }, description: expect.any(String) } },
  });
});

test('leaves a field of that name to the author', () => {
  const own = { type: 'array', items: { type: 'integer' } };
  expect(field(outputSchema({ type: 'object', properties: { missing_fields: own } }), 'properties')).toEqual({ missing_fields: own });
});

test('keeps what the service knows and drops the limits that it does not', () => {
  const schema = {
    type: 'object',
    properties: {
      day: { type: 'string', format: 'date', pattern: '^2' },
      side: { enum: ['long', 'short'] },
      kind: { const: 'x' },
      range: { type: 'array', items: { type: 'number', minimum: 0 }, minItems: 2, maxItems: 2 },
      note: { type: ['string', 'null'] },
      either: { oneOf: [{ type: 'integer' }, { $ref: '#/definitions/price' }] },
    },
    definitions: { price: { type: 'object', properties: { usd: { type: 'number' } } } },
  };
  const shaped = outputSchema(schema);
  expect(problems(shaped ?? null)).toEqual([]);
  expect(shaped).toMatchObject({
    properties: {
      day: { format: 'date' },
      side: { enum: ['long', 'short'] },
      kind: { enum: ['x'] },
      note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      either: { anyOf: [{ type: 'integer' }, { $ref: '#/$defs/price' }] },
    },
    $defs: { price: { type: 'object', additionalProperties: false } },
  });
});

test.each<[string, Json]>([
  ['is not an object', { type: 'array', items: { type: 'string' } }],
  ['is true', true],
  ['has an object whose fields nobody names', { type: 'object', properties: { a: { type: 'object' } } }],
  [
    'has an object of any fields',
    {
      type: 'object',
      properties: { a: { type: 'object', properties: { b: { type: 'string' } }, additionalProperties: { type: 'string' } } },
    },
  ],
  ['has a field of any type', { type: 'object', properties: { a: {} } }],
  ['has a list of any items', { type: 'object', properties: { a: { type: 'array' } } }],
  ['combines schemas', { type: 'object', properties: { a: { allOf: [{ type: 'object' }] } } }],
  ['refers elsewhere', { type: 'object', properties: { a: { $ref: 'other.json' } } }],
  ['lists objects as values', { type: 'object', properties: { a: { enum: [{}] } } }],
])('says nothing where a schema %s', (_what, schema) => {
  expect(outputSchema(schema)).toBeUndefined();
});

test('keeps the fields of fields required if too many could be left out, and gives up if that is not enough', () => {
  const fields = (count: number): Record<string, Json> =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, { type: 'string' }]));
  const nested = fields(MOST_OPTIONAL);
  const inner = { type: 'object', properties: nested, required: Object.keys(nested) };
  expect(field(field(outputSchema({ type: 'object', properties: { inner } }), 'properties'), 'inner')).toMatchObject({
    required: Object.keys(nested),
  });
  expect(outputSchema({ type: 'object', properties: fields(MOST_OPTIONAL + 1) })).toBeUndefined();
});

describe('what holds only under a condition', () => {
  const base = {
    type: 'object',
    properties: { kind: { type: 'string' }, part: { type: 'object', properties: { a: { type: 'string' } } } },
  };
  const condition = { if: { properties: { kind: { const: 'x' } } } };

  test('is left to the check of the reply if it names fields that are there', () => {
    const refined = { ...base, ...condition, [THEN]: { required: ['part'], properties: { part: { required: ['a'] } } } };
    expect(outputSchema(refined)).toEqual(outputSchema(base));
  });

  test.each<[string, Json]>([
    ['then', { ...condition, [THEN]: { properties: { extra: { type: 'string' } } } }],
    ['else', { ...condition, else: { required: ['extra'] } }],
    ['then, within a field', { ...condition, [THEN]: { properties: { part: { properties: { extra: {} } } } } }],
    ['then, by reference', { ...condition, [THEN]: { $ref: '#/$defs/more' } }],
    ['then, as one of several', { ...condition, [THEN]: { anyOf: [{ required: ['extra'] }] } }],
    ['dependentSchemas', { dependentSchemas: { kind: { required: ['extra'] } } }],
  ])('is not sent where it names a field that nothing else names: %s', (_, more) => {
    expect(outputSchema({ ...base, ...(more as object) })).toBeUndefined();
  });
});
