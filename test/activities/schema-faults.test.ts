import { checkSchemaHere } from '../../activities/schemas/schema-check';
import type { Json } from '../../plan/text/json';

const LEVEL: Json = {
  type: 'object',
  required: ['type', 'evidence'],
  properties: { type: { enum: ['support', 'resistance'] }, price: { type: 'number' }, note: { maxLength: 3 } },
};
const SCHEMA: Json = {
  type: 'object',
  required: ['thesis', 'key_levels'],
  properties: { thesis: { type: 'string' }, key_levels: { type: 'array', items: LEVEL }, zones: { items: { items: { type: 'number' } } } },
};
const good = { type: 'support', price: 1, evidence: 'seen' };
const faults = (value: Json) => checkSchemaHere('levels', SCHEMA, value)?.faults;

describe('each fault of a value has its path and its reason', () => {
  test.each<[string, Json, { path: string; reason: string }[]]>([
    ['a field that is missing', { key_levels: [] }, [{ path: 'thesis', reason: 'is missing' }]],
    [
      'one that all items of a list lack',
      { thesis: 'up', key_levels: [{ type: 'support' }, { type: 'resistance' }] },
      [{ path: 'key_levels[].evidence', reason: 'is missing' }],
    ],
    [
      'one that one item lacks, by its index',
      { thesis: 'up', key_levels: [good, { type: 'support' }] },
      [{ path: 'key_levels[1].evidence', reason: 'is missing' }],
    ],
    [
      'a word that is none of those allowed',
      { thesis: 'up', key_levels: [good, { ...good, type: 'OB' }] },
      [{ path: 'key_levels[1].type', reason: 'must be equal to one of the allowed values: support, resistance' }],
    ],
    ['a wrong type', { thesis: 7, key_levels: [] }, [{ path: 'thesis', reason: 'must be string' }]],
    [
      'a text that is too long',
      { thesis: 'up', key_levels: [good, { ...good, note: 'long' }] },
      [{ path: 'key_levels[1].note', reason: 'must NOT have more than 3 characters' }],
    ],
    ['lists within lists', { thesis: 'up', key_levels: [], zones: [[1, 'x'], [2]] }, [{ path: 'zones[0][1]', reason: 'must be number' }]],
    ['the whole, where that is of another kind', [], [{ path: '$', reason: 'must be object' }]],
  ])('%s', (_, value, expected) => {
    expect(faults(value)).toEqual(expected);
  });

  test('a field that may not be there', () => {
    const closed: Json = { properties: { a: true }, additionalProperties: false };
    expect(checkSchemaHere('closed', closed, { a: 1, b: 2 })?.faults).toEqual([{ path: 'b', reason: 'is not one of its fields' }]);
  });

  test('a list of which not all can be looked at names indices', () => {
    const many = { thesis: 'up', key_levels: Array.from({ length: 5000 }, () => ({ type: 'support' })) };
    expect(faults(many)?.[0]).toEqual({ path: 'key_levels[0].evidence', reason: 'is missing' });
  });
});
