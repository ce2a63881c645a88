import { FILE_ROWS } from '../../compiler/language/file';
import { BODIES, kindRow, WRITTEN_KINDS } from '../../compiler/language/kinds';
import { MAPPING_NAMES, mappingRows } from '../../compiler/language/mappings';
import type { KeyRow } from '../../compiler/language/row';
import { EVERY_STEP_ROWS } from '../../compiler/language/step';
import type { Json } from '../../plan/text/json';
import { sweepCase } from '../support/sweep';
import { fileWith, inBody, inMapping, stepWith } from './places';
import { compiles, complaintsOfSchema } from './world';

/** Puts values of every type in each place of the language: the JSON Schema must accept everything that the compiler accepts. */
const VALUES: readonly Json[] = [
  5,
  0,
  -1,
  2.5,
  true,
  false,
  null,
  '',
  'text',
  '3s',
  'draft',
  'writer',
  '$draft.json',
  `\${draft.title}`,
  [],
  ['draft'],
  [1],
  {},
  { a: 1 },
];

/** One value for each thing that the compiler may see in it, and with the sweep all of them. */
const TRIED = sweepCase<readonly Json[]>([5, 2.5, true, null, 'text', '3s', '$draft.json', ['draft'], {}, { a: 1 }], VALUES);

const places: [string, (value: Json) => Json][] = [
  ...FILE_ROWS.map((row): [string, (value: Json) => Json] => [`file: ${row.key}`, (value) => fileWith({ [row.key]: value })]),
  ...EVERY_STEP_ROWS.map((row): [string, (value: Json) => Json] => [`every step: ${row.key}`, (value) => stepWith('agent', row, value)]),
  ...WRITTEN_KINDS.flatMap((kind) =>
    kindRow(kind).rows.map((row): [string, (value: Json) => Json] => [`${kind}: ${row.key}`, (value) => stepWith(kind, row, value)]),
  ),
  ...BODIES.flatMap(({ kind, rows }) =>
    rows.map((row): [string, (value: Json) => Json] => [`${kind}, in a mapping: ${row.key}`, (value) => inBody(kind, row, value)]),
  ),
  ...MAPPING_NAMES.flatMap((name) =>
    mappingRows(name).map((row: KeyRow): [string, (value: Json) => Json] => [
      `${name}: ${row.key}`,
      (value) => inMapping(name, row, value),
    ]),
  ),
];

describe('what compiles, the JSON Schema takes', () => {
  it.each(places)('%s', (_, fileOf) => {
    const refused = TRIED.filter((value) => complaintsOfSchema(fileOf(value)).length > 0 && compiles(fileOf(value)));
    expect(refused).toEqual([]);
  });
});
