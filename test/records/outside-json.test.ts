import { fields, flag, item, json, listOf, mapOf, number, optionalFields, text } from '../../records/outside-json';

const INNER = { text };
const SCHEMA = fields({
  ...{ text, number, flag, json },
  inner: fields(INNER),
  maybe: optionalFields(INNER),
  list: listOf(fields(INNER)),
  items: listOf(item),
  map: mapOf(fields(INNER)),
});
const NOTHING = { inner: {}, list: [], items: [], map: {} };

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['null', null],
  ['a text', 'text'],
  ['a list', [{ text: 'text' }]],
  ['an empty object', {}],
  ['other keys', { other: 1, constructor: 1 }],
  ['a prototype', JSON.parse('{"__proto__": {"text": "text", "number": 1}}')],
  ['every type wrong', { text: 1, number: '1', flag: 'true', inner: [], maybe: null, list: {}, items: 'x', map: [] }],
  ['numbers that are none', { number: Number.NaN, flag: 1 }],
  ['numbers without end', { number: Number.POSITIVE_INFINITY }],
])('of %s nothing is read, and nothing is refused', (_, written) => {
  expect(SCHEMA.parse(written)).toEqual(NOTHING);
});

test('a part of a wrong type is left out, and the rest is read', () => {
  const written = { text: 'half \ud800', number: 0, flag: true, inner: { text: 1 }, maybe: {}, list: [1, { text: 'a' }], map: { a: null } };
  expect(SCHEMA.parse(written)).toEqual({
    ...{ text: 'half \ud800', number: 0, flag: true, inner: {}, maybe: {} },
    ...{ list: [{}, { text: 'a' }], items: [], map: { a: {} } },
  });
});

test('what is not looked into may nest as deep as it likes', () => {
  const deep: unknown = JSON.parse('['.repeat(5_000) + ']'.repeat(5_000));
  const { json: kept, items } = SCHEMA.parse({ json: deep, items: [deep], inner: deep, list: [deep] });
  expect(kept).toBe(deep);
  expect(items[0]).toBe(deep);
});
