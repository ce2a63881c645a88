import { schemaAt } from '../../compiler/expression/schema-path';
import type { Json } from '../../plan/text/json';

/** The linter warns that the key, if written out, would make a promise of the object. */
const THEN = 'then';

/** The types that a field of an output may have if its schema has conditions. */
const schema: Json = {
  type: 'object',
  properties: { side: { enum: ['long', 'neutral'] }, size: { type: 'number' } },
  if: { properties: { side: { const: 'long' }, guess: {} } },
  [THEN]: { required: ['stop'], properties: { stop: { type: 'number' }, size: { minimum: 1 } } },
  else: { required: ['size'] },
  dependentSchemas: { size: { properties: { unit: { enum: ['pct'] } } } },
};
const at = (...path: string[]) => schemaAt(schema, path);

test.each([
  ['then', 'stop'],
  ['dependentSchemas', 'unit'],
])('a field that only %s names is there', (_, field) => {
  expect(at(field)).toMatchObject({ kind: 'schema' });
});

test('a condition that only asks for fields opens nothing: one that is misspelt is still found', () => {
  expect(at('siize')).toMatchObject({ kind: 'absent', known: expect.arrayContaining(['side', 'size', 'stop', 'unit']) });
  expect(schemaAt({ properties: { a: {} }, anyOf: [{ required: ['a'] }, { required: ['b'] }] }, ['c'])).toMatchObject({ kind: 'absent' });
});

test('nor do conditions in a list', () => {
  const list: Json = {
    properties: { a: { enum: [1] } },
    allOf: [{ if: {}, [THEN]: { required: ['a'], properties: { b: {} } } }, { $ref: '#/$defs/more' }],
    $defs: { more: { properties: { c: { enum: [2] } } } },
  };
  expect(schemaAt(list, ['d'])).toMatchObject({ kind: 'absent', known: ['a', 'b', 'c'] });
  expect(schemaAt(list, ['b'])).toEqual({ kind: 'schema', schema: {} });
  expect(schemaAt(list, ['c'])).toEqual({ kind: 'schema', schema: { enum: [2] } });
});

test('nor does one that only asks for fields of a field', () => {
  const nested: Json = {
    properties: { part: { properties: { a: { type: 'string' } } } },
    if: {},
    [THEN]: { properties: { part: { type: 'object', required: ['a'] } } },
  };
  expect(schemaAt(nested, ['part', 'a'])).toEqual({ kind: 'schema', schema: { type: 'string' } });
  expect(schemaAt(nested, ['part', 'b'])).toMatchObject({ kind: 'absent', index: 1, known: ['a'] });
});

test('what a condition is about names no field', () => {
  expect(at('guess')).toMatchObject({ kind: 'absent' });
});

test('what holds without a condition is certain, whatever one adds', () => {
  expect(at('side')).toEqual({ kind: 'schema', schema: { enum: ['long', 'neutral'] } });
  expect(at('size')).toEqual({ kind: 'schema', schema: { type: 'number' } });
});

test('what differs by condition is not certain', () => {
  const either: Json = { if: {}, [THEN]: { properties: { a: { enum: [1] } } }, else: { properties: { a: { enum: [2] } } } };
  expect(schemaAt(either, ['a'])).toEqual({ kind: 'open' });
});
