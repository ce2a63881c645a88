import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020';
import { compileSchema, schemaViolation } from '../../activities/json-schema';
import { checkSchemaHere } from '../../activities/schemas/schema-check';
import type { Json } from '../../plan/text/json';

const SEVEN = 'http://json-schema.org/draft-07/schema#';
const TWENTY = 'https://json-schema.org/draft/2020-12/schema';

function validator(schema: Json, options = {}) {
  const validate = compileSchema(schema, options);
  if (typeof validate === 'string') throw new Error(validate);
  return validate;
}

test.each([SEVEN, TWENTY])('a list of which each item is wanted once is gone through once, whatever its draft: %s', ($schema) => {
  let read = 0;
  const counted = (item: object) =>
    new Proxy(item, {
      get(target, name, receiver) {
        read += 1;
        return Reflect.get(target, name, receiver);
      },
      ownKeys(target) {
        read += 1;
        return Reflect.ownKeys(target);
      },
    });
  const length = 1000;
  const rows = (from: number) => Array.from({ length }, (_, index) => counted({ row: from + index }));
  const validate = validator({ $schema, uniqueItems: true });
  expect(validate(rows(0))).toBe(true);
  expect(validate([...rows(0), ...rows(0)])).toBe(false);
  expect(read).toBeGreaterThanOrEqual(3 * length);
  expect(read).toBeLessThan(30 * length);
});

test.each<[Json[], boolean]>([
  [[1, '1', true, null, 'true', 'null', [], {}, '', [1], ['1'], { a: 1 }, '{"a":1}'], true],
  [[0, false], true],
  [[1, 1.0], false],
  [[0, -0], false],
  [
    [
      { a: 1, b: { c: [1], d: 2 } },
      { b: { d: 2, c: [1] }, a: 1 },
    ],
    false,
  ],
  [
    [
      [1, 2],
      [2, 1],
    ],
    true,
  ],
  [[JSON.parse('{"__proto__": 1}'), {}], true],
  [['__proto__', '__proto__'], false],
  [[], true],
])('%j has no item twice: %s', (items, unique) => {
  expect(validator({ uniqueItems: true })(items)).toBe(unique);
  expect(validator({ uniqueItems: false })(items)).toBe(true);
});

test.each<[typeof Ajv | typeof Ajv2020, string, Json[]]>([
  [Ajv, SEVEN, [{ a: 1 }, 2, { a: 1 }]],
  [Ajv, SEVEN, ['b', 'a', 'a', 'b']],
  [Ajv2020, TWENTY, [1, 1, 1]],
])('what is wrong is said as ajv says it, and where: %#', (Draft, $schema, rows) => {
  const schema = { $schema, properties: { rows: { minItems: 9, uniqueItems: true, items: { not: {} } } } };
  const theirs = new Draft({ strict: false, allErrors: true }).compile(schema);
  const ours = validator(schema, { allErrors: true });
  expect(theirs({ rows })).toBe(ours({ rows }));
  expect(ours.errors).toEqual(theirs.errors);
});

test('who answered reads which items are the same', () => {
  const schema: Json = { properties: { rows: { items: { type: 'string' }, uniqueItems: true } } };
  const problem = 'rows must NOT have duplicate items (items ## 0 and 1 are identical)';
  expect(checkSchemaHere('unique rows', schema, { rows: ['a', 'a'] })).toMatchObject({ missingFields: [], problems: [problem] });
  expect(schemaViolation(validator(schema), { rows: ['a', 'a'] })).toBe(problem);
});

test('a schema that says anything but yes or no is none', () => {
  expect(compileSchema({ uniqueItems: 'yes' })).toMatch(/uniqueItems/);
});
