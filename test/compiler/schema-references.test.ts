import { invalidity } from '../../compiler/names/json-schema';
import type { JsonObject } from '../../plan/text/json';

const SEVEN = 'http://json-schema.org/draft-07/schema#';
const TWENTY = 'https://json-schema.org/draft/2020-12/schema';

describe.each([SEVEN, TWENTY])('references of %s', ($schema) => {
  test.each<[string, JsonObject]>([
    ['to the whole', { properties: { kids: { items: { $ref: '#' } } } }],
    ['to a part', { properties: { kids: { $ref: '#/$defs/kids' } }, $defs: { kids: { items: { $ref: '#/$defs/kids' } } } }],
    ['to the whole, within one of several', { anyOf: [{ type: 'string' }, { type: 'array', items: { $ref: '#' } }] }],
    ['to the draft itself', { $ref: $schema }],
    ['to another name of it', { $id: 'https://example.org/tree', items: { $ref: 'https://example.org/tree' } }],
    ['twice to the same', { allOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }], $defs: { a: { minLength: 1 } } }],
    ['in what is data', { const: { $ref: '#' } }],
  ])('%s are taken', (_, schema) => {
    expect(invalidity({ $schema, ...schema })).toBeUndefined();
  });

  test.each<[string, JsonObject]>([
    ['the whole for itself', { $ref: '#' }],
    ['one of several for the whole', { anyOf: [{ type: 'string' }, { $ref: '#' }] }],
    ['a condition for the whole', { if: { $ref: '#' } }],
    ['two for each other', { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }],
    ['a part for itself', { items: { $ref: '#/$defs/a~1%62' }, $defs: { 'a/b': { allOf: [{ not: { $ref: '#/$defs/a~1b' } }] } } }],
  ])('ask without end: %s', (_, schema) => {
    expect(invalidity({ $schema, ...schema })).toMatch(/"\$ref": "#.*" refers to itself without end/);
  });

  test('a circle of ten thousand is found', () => {
    const $defs = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [i, { $ref: `#/$defs/${(i + 1) % 10_000}` }]));
    expect(invalidity({ $schema, $defs })).toMatch(/refers to itself/);
  });

  test('schemas know nothing about each other, whatever they call themselves', () => {
    const named = (type: string): JsonObject => ({
      $schema,
      $id: 'https://example.org/one',
      properties: { a: { $id: 'https://example.org/part', type }, b: { $ref: 'https://example.org/part' } },
    });
    expect([invalidity(named('string')), invalidity(named('number'))]).toEqual([undefined, undefined]);
  });
});
