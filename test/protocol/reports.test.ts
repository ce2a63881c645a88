import { isJsonObject, type Json, type JsonObject } from '../../plan/text/json';
import { missingFields, problemsOf } from '../programs/schema-check';
import { EXAMPLES } from './source-examples';

/** The reports of the source (4.5), field by field, against the schemas that are shipped. */
const NAMES = Object.keys(EXAMPLES);
type Place = readonly (string | number)[];

/** Fields of objects, at every depth. */
function fieldsOf(value: Json, at: Place = []): Place[] {
  if (Array.isArray(value)) return value.flatMap((item, i) => fieldsOf(item, [...at, i]));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => [[...at, key], ...fieldsOf(inner, [...at, key])]);
}

const pathOf = (place: Place) =>
  place
    .map((key) => (typeof key === 'number' ? '[]' : `.${key}`))
    .join('')
    .slice(1);

/** A copy with another value at a place; without one there where `value` is undefined. */
function withAt(report: Json, place: Place, value: Json | undefined): Json {
  const copy = structuredClone(report);
  let holder: Json | undefined = copy;
  for (const key of place.slice(0, -1)) holder = Reflect.get(Object(holder), key);
  const last = place.at(-1) ?? '';
  if (value === undefined) Reflect.deleteProperty(Object(holder), last);
  else Reflect.set(Object(holder), last, value);
  return copy;
}

/** Prices, which stand as 0 in the source: a blank, which no report has. */
const PRICE = /^(price|range|entry_zone|stop_loss|take_profit)$/;

/** The example as one report: of words that are listed the first, of prices some. */
function reportOf(example: Json, key = ''): Json {
  if (Array.isArray(example)) return example.map((item) => reportOf(item, key));
  if (isJsonObject(example)) return Object.fromEntries(Object.entries(example).map(([name, inner]) => [name, reportOf(inner, name)]));
  if (typeof example === 'string') return example.split('|')[0] ?? '';
  return example === 0 && PRICE.test(key) ? 82600 : example;
}

const exampleOf = (name: string): JsonObject => {
  const example = EXAMPLES[name];
  if (!isJsonObject(example)) throw new Error(`there is no example of ${name}`);
  return example;
};
const valueAt = (report: Json, place: Place) => place.reduce<unknown>((at, key) => Reflect.get(Object(at), key), report);

describe.each(NAMES)('%s', (name) => {
  const example = exampleOf(name);
  const report = reportOf(example);
  const fields = fieldsOf(example);

  it('the example of the source is a whole report', () => {
    expect(problemsOf(name, report)).toEqual([]);
  });

  it('each field of the source that a report lacks is named by its path', () => {
    // Other verdicts than revise have no target.
    const asked = name === 'Review_Report' ? withAt(report, ['verdict'], 'revise') : report;
    expect(fields.length).toBeGreaterThan(5);
    for (const place of fields) expect(missingFields(name, withAt(asked, place, undefined))).toEqual([pathOf(place)]);
  });

  it('each field is of one type, and another is refused at its place', () => {
    for (const place of fields) {
      const wrong = withAt(report, place, typeof valueAt(report, place) === 'boolean' ? 'yes' : true);
      expect(problemsOf(name, wrong).map(({ instancePath }) => instancePath)).toContain(`/${place.join('/')}`);
    }
  });

  it('a field whose words the source lists takes each of them, and no other', () => {
    for (const place of fields) {
      const words = String(valueAt(example, place)).split('|');
      // `...` at the end of a list: it continues.
      if (words.length === 1 || words.includes('...')) continue;
      for (const word of words) expect(problemsOf(name, withAt(report, place, word))).toEqual([]);
      expect(problemsOf(name, withAt(report, place, words.join('|'))).map(({ keyword }) => keyword)).toContain('enum');
    }
  });
});

it('a blank is no field: neither an empty text nor a price of zero', () => {
  const thesis = reportOf(exampleOf('Strategy_Thesis'));
  for (const place of [['stop_loss'], ['entry_zone', 0], ['take_profit', 0]]) {
    expect(problemsOf('Strategy_Thesis', withAt(thesis, place, 0))).not.toEqual([]);
  }
  for (const place of [['thesis'], ['invalidation'], ['market']]) {
    expect(problemsOf('Strategy_Thesis', withAt(thesis, place, ''))).not.toEqual([]);
  }
});
