import { ThreadTextMatching } from '../../activities/adapters/threads/pattern-matching';
import { compileSchema, schemaViolation } from '../../activities/json-schema';
import type { TextQuestion } from '../../activities/ports';
import { checkSchema } from '../../activities/schemas/schema-check';
import type { Json } from '../../plan/text/json';

const KIB_64 = 64 * 1024;
const SEVEN = 'http://json-schema.org/draft-07/schema#';
const TWENTY = 'https://json-schema.org/draft/2020-12/schema';

let digests = 0;

/** Checks on the real thread, and returns the time that was left to it and what was logged. */
function bench(answers?: () => undefined) {
  const thread = new ThreadTextMatching();
  const asked: TextQuestion[][] = [];
  const logged: string[] = [];
  const by = {
    matching: {
      answers: async (questions: readonly TextQuestion[]) => {
        asked.push([...questions]);
        return answers ? answers() : await thread.answers(questions);
      },
    },
    log: (_: string, message: string) => void logged.push(message),
  };
  const check = (schema: Json, value: Json, digest = `work ${digests++}`) => checkSchema(by, digest, schema, value);
  return { check, asked, logged };
}

test('what native expressions run away on is matched at once', async () => {
  const { check, asked } = bench();
  for (const pattern of ['^a*a*a*a*a*a*b$', '^(a+)+$', '^(\\w+\\s?)*$', '(x+x+)+y'])
    expect(await check({ pattern }, `${'a'.repeat(400)}!`)).toMatchObject({ problems: [expect.stringContaining('pattern')] });
  expect(await check({ patternProperties: { '^(a|a)*$': false } }, { ['a'.repeat(400)]: 1 })).toBeDefined();
  expect(asked).toEqual([]);
});

test('a long text is matched in a thread, whichever keyword asks for it', async () => {
  const { check, asked } = bench();
  const long = 'a'.repeat(KIB_64 + 1);
  expect(await check({ pattern: '^a+$' }, long)).toBeUndefined();
  expect(await check({ pattern: '^a+b$' }, long)).toMatchObject({ problems: [expect.stringContaining('pattern')] });
  expect(await check({ format: 'uri' }, `data:${long}`)).toBeUndefined();
  expect(await check({ format: 'uri' }, long)).toMatchObject({ problems: [expect.stringContaining('format')] });
  expect(await check({ format: 'url' }, `http://a.test/${long}`)).toBeUndefined();
  expect(await check({ patternProperties: { '^a+$': false } }, { [long]: 1 })).toBeDefined();
  expect(asked.map((questions) => questions.length)).toEqual([1, 1, 1, 1, 1, 1]);
  expect(await check({ pattern: '^a+$' }, 'a'.repeat(KIB_64))).toBeUndefined();
  expect(asked).toHaveLength(6);
});

test('what an answer brings up is asked next', async () => {
  const { check, asked } = bench();
  const long = 'a'.repeat(KIB_64 + 1);
  const either = { items: { anyOf: [{ pattern: 'b' }, { pattern: '^a+$' }] } };
  expect(await check(either, [long, long, `${long}b`])).toBeUndefined();
  expect(asked.map((questions) => questions.length)).toEqual([2, 1]);
  expect(await check(either, [long, `${long}c`])).toMatchObject({ problems: expect.arrayContaining([expect.stringMatching(/^\[\] /)]) });
});

test.each<[string, Json, Json]>([
  ['an expression that is large', { items: { pattern: 'a.{900}$' } }, Array(40).fill('a'.repeat(1000))],
  ['texts that are many', { items: { pattern: '^[a-z]+$' } }, Array.from({ length: 4000 }, (_, i) => `${i}`.padStart(200, 'a'))],
])('%s goes to the thread beyond what one check may match', async (_, schema, value) => {
  const { check, asked } = bench();
  await check(schema, value);
  const here = asked[0]?.length ?? 0;
  expect(here).toBeGreaterThan(0);
});

test('many long texts of one length are kept apart', async () => {
  const { check, asked } = bench();
  const texts = Array.from({ length: 50 }, (_, i) => `${'a'.repeat(KIB_64)}${String(i).padStart(3, '0')}`);
  expect(await check({ items: { pattern: '^a+0[0-9]{2}$' } }, texts)).toBeUndefined();
  expect(asked).toHaveLength(1);
});

test('matching that does not end is a problem of the value, not of the worker', async () => {
  const { check } = bench(() => undefined);
  expect(await check({ pattern: '^a+$' }, 'a'.repeat(KIB_64 + 1))).toMatchObject({ problems: [expect.stringContaining('too long')] });
  const late = new ThreadTextMatching(1);
  const question: TextQuestion = { kind: 'pattern', expression: 'a.{1000}'.repeat(5), text: 'ab'.repeat(1_000_000) };
  expect(await late.answers([question])).toBeUndefined();
});

test.each([SEVEN, TWENTY])('a schema that tries the same part over and over is given up: %s', async ($schema) => {
  const { check } = bench();
  const node = (op: string): Json => ({ required: ['of', 'op'], properties: { of: { $ref: '#' }, op: { const: op } } });
  const schema: Json = { $schema, anyOf: [{ type: 'string' }, node('and'), node('or')] };
  const nested = (depth: number): Json => (depth === 0 ? 'x' : { of: nested(depth - 1), op: 'or' });
  expect(await check(schema, nested(8))).toBeUndefined();
  expect(await check(schema, nested(60))).toMatchObject({ problems: [expect.stringContaining('over and over')] });
});

test.each([SEVEN, TWENTY])('a long list by reference is not: %s', async ($schema) => {
  const { check } = bench();
  const schema: Json = {
    $schema,
    items: { $ref: '#/$defs/row' },
    $defs: { row: { properties: { n: { $ref: '#/$defs/n' } } }, n: { type: 'number' } },
  };
  expect(
    await check(
      schema,
      Array.from({ length: 100_000 }, (_, n) => ({ n })),
    ),
  ).toBeUndefined();
});

test('a pattern that cannot be matched in linear time is not checked, and said once', async () => {
  const { check, logged } = bench();
  const schema: Json = { properties: { a: { pattern: '^(?=x)' }, b: { pattern: '^b$' } } };
  expect(await check(schema, { a: 'y', b: 'b' }, 'from elsewhere')).toBeUndefined();
  expect(await check(schema, { a: 'y', b: 'c' }, 'from elsewhere')).toBeDefined();
  expect(logged).toEqual([expect.stringContaining('"^(?=x)" has a look-ahead')]);
});

test('a pattern that is not one makes no schema', () => {
  expect(compileSchema({ pattern: '(?i)a' })).toMatch(/is not a regular expression/);
});

describe('the format url', () => {
  const validate = compileSchema({ format: 'url' });
  const isUrl = (text: string) => typeof validate !== 'string' && schemaViolation(validate, text) === undefined;
  test.each([
    ...[
      'http://a.test',
      'https://a.test:8080/x?y=z#q',
      'ftp://u@a.test/',
      'http://u:p@a.test',
      'http://u:p:q@r@a.test/@',
      'http://142.42.1.1/',
    ],
    ...['http://ü.test/é', 'http://a-b.c-d.test'],
  ])('takes %s', (text) => expect(isUrl(text)).toBe(true));
  test.each(['a.test', 'http://', 'http://a b.test', 'http://10.1.1.1', 'http://a', 'http://u@', 'http://a.test:1', 'http://a.test/ x'])(
    'does not take %s',
    (text) => expect(isUrl(text)).toBe(false),
  );
});
