import { checkSchemaHere } from '../../activities/schemas/schema-check';
import type { Json } from '../../plan/text/json';
import { codeOf } from './workshop';

/** The linter warns that the key, if written out, would make a promise of the object. */
const THEN = 'then';

const SEVEN = 'http://json-schema.org/draft-07/schema#';
const TWENTY = 'https://json-schema.org/draft/2020-12/schema';

let digests = 0;
const check = (schema: Json, value: Json) => checkSchemaHere(`digest ${digests++}`, schema, value);

const checked = async (schema: Json, value: Json) => check(schema, value);

test.each([SEVEN, TWENTY])('a value that is not a schema fails: %s', async ($schema) => {
  expect(await codeOf(checked({ $schema, type: 'strange' }, 1))).toBe('pipeline.invalid');
  expect(await codeOf(checked({ $schema, $ref: '#/$defs/nowhere' }, 1))).toBe('pipeline.invalid');
});

test.each([SEVEN, TWENTY])('schemas know nothing about each other, whatever they call themselves: %s', ($schema) => {
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

test.each([SEVEN, TWENTY])('a schema may ask for itself of a part of the value: %s', ($schema) => {
  const tree: Json = { $schema, required: ['name'], properties: { kids: { items: { $ref: '#' } } } };
  expect(check(tree, { name: 'a', kids: [{ name: 'b' }] })).toBeUndefined();
  expect(check(tree, { name: 'a', kids: [{}] })?.missingFields).toEqual(['kids[].name']);
});

test.each([SEVEN, TWENTY])('of a condition only what it asks for is reported: %s', ($schema) => {
  const schema: Json = {
    ...{ $schema, if: { properties: { side: { const: 'long' } }, required: ['side'] } },
    ...{ [THEN]: { required: ['stop'] }, else: { properties: { size: { maximum: 0 } } } },
  };
  expect(check(schema, { side: 'long' })).toEqual({
    missingFields: ['stop'],
    problems: [],
    faults: [{ path: 'stop', reason: 'is missing' }],
  });
  expect(check(schema, { size: 5 })).toMatchObject({ missingFields: [], problems: ['size must be <= 0'], faults: [{ path: 'size' }] });
  expect(check({ $schema, if: true, [THEN]: false }, {})?.problems).toHaveLength(1);
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

describe('a long answer', () => {
  const LONG = 100_000;
  const rows = (bad: (index: number) => boolean, length = LONG) => Array.from({ length }, (_, index) => (bad(index) ? 'no' : index));
  const numbers: Json = { items: { type: 'number' } };

  test('that is wrong everywhere is not gone through for all that is wrong', () => {
    let read = 0;
    const answer = new Proxy(
      rows(() => true),
      {
        get(list, name, receiver) {
          read += 1;
          return Reflect.get(list, name, receiver);
        },
      },
    );
    expect(check(numbers, answer)?.problems[0]).toBe('[] must be number');
    expect(read).toBeLessThan(LONG / 5);
  });

  test('is checked to its end', () => {
    expect(
      check(
        { properties: { rows: numbers } },
        {
          rows: rows((index) => index === LONG - 1),
        },
      )?.problems[0],
    ).toBe('rows[] must be number');
    expect(
      check(
        numbers,
        rows(() => false),
      ),
    ).toBeUndefined();
  });

  test('reports all that is wrong at its beginning, and all that the whole lacks', () => {
    const schema: Json = { required: ['rows', 'summary', 'date'], properties: { title: { type: 'string' }, rows: numbers } };
    const found = check(schema, { title: 1, rows: rows(() => true) });
    expect(found?.missingFields).toEqual(['summary', 'date']);
    expect(found?.problems).toEqual(expect.arrayContaining(['title must be string', 'rows[] must be number']));
  });

  test('reports the fields that are too many', () => {
    const schema: Json = { additionalProperties: false, properties: { rows: numbers } };
    expect(check(schema, { a: 1, b: 1, rows: rows(() => false) })?.problems.slice(0, 2)).toEqual([
      'the whole must NOT have additional properties: "a"',
      'the whole must NOT have additional properties: "b"',
    ]);
  });

  test.each<[string, Json]>([
    ['to be long', { minItems: LONG }],
    ['to contain its last item', { contains: { const: LONG - 1 } }],
    ['to be what it is', { anyOf: [{ minItems: LONG }, { type: 'string' }] }],
    ['to be as long as it is', { if: { minItems: LONG }, else: { items: { type: 'string' } } }],
  ])('has %s as a whole, not in the beginning that is looked at', (_, wanted) => {
    const answer = { rows: rows(() => false), title: 1 };
    const found = check({ properties: { rows: wanted, title: { type: 'string' } } }, answer);
    expect(found).toMatchObject({ missingFields: [], problems: ['title must be string', expect.stringMatching(/^…/)] });
    expect(found?.faults).toEqual([{ path: 'title', reason: 'must be string' }]);
  });

  test('has what it requires after the beginning that is looked at', () => {
    const found = check(
      { required: ['summary'], properties: { title: { type: 'string' } } },
      { title: 1, rows: rows(() => false), summary: 'x' },
    );
    expect(found?.missingFields).toEqual([]);
  });

  test('is read as it is, whatever its fields are called', () => {
    const answer = JSON.parse(`{"__proto__": {"a/b~c": "x"}, "rows": ${JSON.stringify(rows(() => false))}}`) as Json;
    const schema: Json = { additionalProperties: { properties: { 'a/b~c': { type: 'number' } } } };
    expect(check(schema, answer)?.problems[0]).toBe('__proto__.a/b~c must be number');
  });
});
