import { plainSchema } from '../../activities/adapters/mcp/plain-schema';
import { compileSchema } from '../../activities/json-schema';
import type { Json, JsonObject } from '../../plan/text/json';

function plain(schema: Json, most = 10_000): JsonObject {
  const read = plainSchema(schema, most);
  if ('problem' in read) throw new Error(read.problem);
  return read.schema;
}

const problemOf = (schema: Json, most = 10_000) => {
  const read = plainSchema(schema, most);
  return 'problem' in read ? read.problem : undefined;
};

test('what is plain already stays as it is', () => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'string', minLength: 1 }, b: { enum: [1, null] } },
    required: ['a'],
    additionalProperties: false,
  };
  expect(plain(schema)).toEqual(schema);
});

test('references are written out, with what is next to them', () => {
  const $defs = { Name: { type: 'string', description: 'a name' }, Both: { $ref: '#/$defs/Name' } };
  expect(
    plain({
      type: 'object',
      properties: { a: { $ref: '#/$defs/Both', description: 'whose' }, b: { $ref: '#/$defs/Name', maxLength: 3 } },
      $defs,
    }),
  ).toEqual({
    type: 'object',
    properties: { a: { type: 'string', description: 'whose' }, b: { maxLength: 3, allOf: [{ type: 'string', description: 'a name' }] } },
  });
});

test('a form that holds itself ends where it begins again', () => {
  const Node = { type: 'object', properties: { next: { $ref: '#/$defs/Node' } } };
  const schema = plain({ type: 'object', properties: { list: { $ref: '#/$defs/Node' } }, $defs: { Node } });
  expect(schema).toMatchObject({ properties: { list: { properties: { next: { description: expect.any(String) } } } } });
  expect(compileSchema(schema)).toBeInstanceOf(Function);
});

test('no regular expression is left, and the description of its property shows it', () => {
  const schema = plain({ type: 'object', properties: { id: { type: 'string', pattern: '^(a+)+$', description: 'its id' } } });
  expect(schema).toEqual({ type: 'object', properties: { id: { type: 'string', description: 'its id (pattern: ^(a+)+$)' } } });
});

test('a long list of values is reported and not checked by, because that takes time by its square', () => {
  const choices = (count: number) => ({ type: 'string', enum: Array.from({ length: count }, (_, i) => `v${i}`), description: 'a zone' });
  const { few, many } = { few: choices(1000), many: choices(1001) };
  expect(plain({ type: 'object', properties: { few, many } })).toEqual({
    type: 'object',
    properties: { few, many: { type: 'string', description: 'a zone (one of 1001 values)' } },
  });
});

test('if patterns say which properties there are, no other is refused', () => {
  expect(plain({ type: 'object', patternProperties: { '^x-': {} }, additionalProperties: false })).toEqual({ type: 'object' });
});

test('what a property is called changes nothing', () => {
  const schema = plain({ type: 'object', properties: { pattern: { type: 'string' }, $ref: { type: 'string' } } });
  expect(schema).toEqual({ type: 'object', properties: { pattern: { type: 'string' }, $ref: { type: 'string' } } });
});

describe('refused is', () => {
  it('what doubles with every reference', () => {
    const $defs: JsonObject = { d0: { type: 'string' } };
    for (let i = 1; i < 40; i++) $defs[`d${i}`] = { allOf: [{ $ref: `#/$defs/d${i - 1}` }, { $ref: `#/$defs/d${i - 1}` }] };
    expect(problemOf({ type: 'object', properties: { a: { $ref: '#/$defs/d39' } }, $defs })).toBeDefined();
  });

  it('what is nested without an end in sight', () => {
    let deep: JsonObject = { type: 'string' };
    for (let i = 0; i < 20_000; i++) deep = { items: deep };
    expect(problemOf({ type: 'object', properties: { deep } })).toMatch(/deep/);
  });

  it('what is larger than the limit', () => {
    expect(problemOf({ type: 'object', description: 'd'.repeat(2000) }, 1000)).toMatch(/1000/);
  });

  it.each(['https://x.org/other.json', '#/$defs/Absent', '#anchor', 7])('a reference that leads out of it: %j', ($ref) => {
    expect(problemOf({ type: 'object', properties: { a: { $ref } } })).toBeDefined();
  });
});
