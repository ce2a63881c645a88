import { checkSchemaHere } from '../../activities/schemas/schema-check';
import { SCHEMA_BYTES, schemaProblem } from '../../activities/tools/asked-schema';
import type { Json } from '../../plan/text/json';
import { expectLinear } from './growth';

/**
 * A schema that an agent writes is compiled on the worker's event loop, so its time is proportional to its size, and its size has a limit.
 */

const check = (schema: Json) => schemaProblem(schema, JSON.stringify(schema));
const fields = (count: number, of: (i: number) => Json): Json => ({
  properties: Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, of(i)])),
});

const SHAPES: [string, (i: number) => Json][] = [
  ['patterns', (i) => ({ pattern: `^a{${i % 9}}$` })],
  ['choices', (i) => ({ anyOf: [{ const: i }, { type: 'string' }] })],
  ['references to itself', () => ({ $ref: '#' })],
  ['words', (i) => ({ enum: [i, `${i}`] })],
];

test.each(SHAPES)('%s compile in time in proportion to them', (_, of) => {
  expectLinear((size) => fields(size, of), check, 40);
});

test.each<[string, Json]>([
  ['repetitions of repetitions', { pattern: '((a{900}){900}){900}' }],
  ['what goes back', { pattern: '(a+)\\1' }],
  ['looking ahead', { pattern: '(?=(a+))b' }],
])('a pattern of %s is refused', (_, wrong) => {
  expect(check({ properties: { a: wrong } })).toMatch(/pattern/);
});

test('what is larger than is taken is refused unread', () => {
  expect(check({ description: 'x'.repeat(SCHEMA_BYTES) })).toMatch(/bytes/);
  expectLinear((size) => ({ description: 'x'.repeat(size), pattern: '(a+)\\1' }), check, 1_000_000);
});

test('an answer that breaks such a schema everywhere is reported in time in proportion to its length', () => {
  const schema: Json = { properties: { rows: { items: { required: ['a', 'b'], properties: { c: { items: { type: 'number' } } } } } } };
  const rows = (size: number) => ({ rows: Array.from({ length: size }, () => ({ c: ['x', 'y'] })) });
  expectLinear(rows, (value) => checkSchemaHere('asked rows', schema, value), 2000);
});
