import { checkSchema } from '../../activities/schema-check';
import type { Json } from '../../plan/json';
import { codeOf } from './workshop';

const SEVEN = 'http://json-schema.org/draft-07/schema#';
const TWENTY = 'https://json-schema.org/draft/2020-12/schema';

let digests = 0;
const check = (schema: Json, value: Json) => checkSchema(`digest ${digests++}`, schema, value);

const checked = async (schema: Json, value: Json) => check(schema, value);

test.each([SEVEN, TWENTY])('a schema that is none fails: %s', async ($schema) => {
  expect(await codeOf(checked({ $schema, type: 'strange' }, 1))).toBe('pipeline.invalid');
  expect(await codeOf(checked({ $schema, $ref: '#/$defs/nowhere' }, 1))).toBe('pipeline.invalid');
});

test.each([SEVEN, TWENTY])('schemas know nothing of each other, whatever they call themselves: %s', ($schema) => {
  const named = (type: string): Json => ({
    $schema,
    $id: 'http://desk.test/report',
    properties: { a: { $id: 'http://desk.test/part', type }, b: { $ref: 'http://desk.test/part' } },
  });
  expect(check(named('string'), { a: 'x', b: 'x' })).toBeUndefined();
  expect(check(named('number'), { a: 1, b: 1 })).toBeUndefined();
  expect(check(named('number'), { a: 1, b: 'x' })?.problems).toHaveLength(1);
});

test.each([SEVEN, TWENTY])('a schema may ask for a schema: %s', ($schema) => {
  expect(check({ $schema, $ref: $schema }, { type: 'object' })).toBeUndefined();
  expect(check({ $schema, $ref: $schema }, { minLength: 'long' })?.problems).not.toHaveLength(0);
});

test('formats are checked', () => {
  expect(check({ format: 'date' }, '2026-11-21')).toBeUndefined();
  expect(check({ format: 'date' }, 'today')?.problems).toHaveLength(1);
});

test.each<[Json, boolean]>([
  [true, true],
  [false, false],
])('a schema may be no more than %s', (schema, fits) => {
  expect(check(schema, {}) === undefined).toBe(fits);
});
