import { checkSchemaHere } from '../../activities/schemas/schema-check';
import { isJsonObject, type Json, type JsonObject } from '../../plan/text/json';
import { readSchema } from '../programs/program-files';
import { missingFields, problemsOf } from '../programs/schema-check';
import { EXAMPLES } from './source-examples';

/** Checks the reports of the source (4.5), field by field, against the shipped schemas. */
const NAMES = Object.keys(EXAMPLES);
type Place = readonly (string | number)[];

/** The fields of objects, at every depth. */
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

/** A copy with another value at a place, or without one if `value` is undefined. */
function withAt(report: Json, place: Place, value: Json | undefined): Json {
  const copy = structuredClone(report);
  let holder: Json | undefined = copy;
  for (const key of place.slice(0, -1)) holder = Reflect.get(Object(holder), key);
  const last = place.at(-1) ?? '';
  if (value === undefined) Reflect.deleteProperty(Object(holder), last);
  else Reflect.set(Object(holder), last, value);
  return copy;
}

/** The example as one report: each list of words becomes its first word, but severities become `minor` and verdicts `revise`. */
function reportOf(example: Json): Json {
  if (Array.isArray(example)) return example.map((item) => reportOf(item));
  if (isJsonObject(example)) return Object.fromEntries(Object.entries(example).map(([name, inner]) => [name, reportOf(inner)]));
  if (typeof example !== 'string') return example;
  const words = example.split('|');
  return words.find((word) => word === 'minor' || word === 'revise') ?? words[0] ?? '';
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
    expect(fields.length).toBeGreaterThan(5);
    for (const place of fields) expect(missingFields(name, withAt(report, place, undefined))).toEqual([pathOf(place)]);
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
      // `...` at the end of a list means that it continues.
      if (words.length === 1 || words.includes('...')) continue;
      for (const word of words) expect(problemsOf(name, withAt(report, place, word))).toEqual([]);
      expect(problemsOf(name, withAt(report, place, words.join('|'))).map(({ keyword }) => keyword)).toContain('enum');
    }
  });
});

it('a blank is no field: neither an empty text nor one of blanks, which is named as missing', () => {
  const thesis = reportOf(exampleOf('Strategy_Thesis'));
  for (const place of [['thesis'], ['invalidation'], ['market']]) {
    for (const blank of ['', '   ', '\n\t']) {
      const report = withAt(thesis, place, blank);
      expect(problemsOf('Strategy_Thesis', report)).not.toEqual([]);
      const found = checkSchemaHere(`thesis ${blank}`, readSchema('Strategy_Thesis') as Json, report)?.faults;
      expect(found).toEqual([{ path: place[0], reason: 'is missing' }]);
    }
  }
});

it('the numbers of the source are kept: a price of 0, and a mood below it', () => {
  for (const name of NAMES) expect(problemsOf(name, reportOf(exampleOf(name)))).toEqual([]);
  const brief = reportOf(exampleOf('Finance_Research_Brief'));
  expect(problemsOf('Finance_Research_Brief', withAt(brief, ['sentiment', 'score'], -0.4))).toEqual([]);
  expect(problemsOf('Finance_Research_Brief', withAt(brief, ['sentiment', 'score'], -1.1))).not.toEqual([]);
  const thesis = reportOf(exampleOf('Strategy_Thesis'));
  expect(problemsOf('Strategy_Thesis', withAt(thesis, ['stop_loss'], -1))).not.toEqual([]);
});

it('a review does not pass with a critical or a major issue open', () => {
  const report = withAt(reportOf(exampleOf('Review_Report')), ['verdict'], 'pass');
  const withSeverity = (severity: string) => problemsOf('Review_Report', withAt(report, ['issues', 0, 'severity'], severity));
  expect(withSeverity('minor')).toEqual([]);
  for (const severity of ['critical', 'major']) {
    expect(withSeverity(severity).map(({ instancePath }) => instancePath)).toContain('/issues/0/severity');
  }
});
