import { lastJsonDocument } from '../../activities/adapters/cli-agent/program-output';
import { resultText } from '../../activities/adapters/mcp/result-text';
import { changedFiles } from '../../activities/agent/changes';
import { shownInputs } from '../../activities/agent/prompt/prompt-inputs';
import { mergeBranches } from '../../activities/containers/merge-branches';
import { checkSchemaHere } from '../../activities/schemas/schema-check';
import { dedupe } from '../../activities/stages/items/dedupe';
import { filterChain, filterWords } from '../../activities/stages/items/filter-words';
import { groupBy } from '../../activities/stages/items/group-by';
import { stableJson } from '../../activities/stages/items/item';
import { replacePlaceholders } from '../../activities/stages/items/placeholders';
import { table } from '../../activities/stages/items/table';
import type { StageCall } from '../../activities/stages/stage-call';
import { headAndTail } from '../../activities/tools/truncate-result';
import { htmlText } from '../../activities/tools/web/html-text';
import type { Json } from '../../plan/text/json';
import { masker } from '../../plan/text/masker';
import { hasManyLongKeys, parseUntrustedJson } from '../../plan/text/untrusted-json';
import { codeOf } from '../activities/workshop';
import { sweep } from '../support/sweep';
import { expectLinear } from './growth';

/** Functions on the worker's event loop that process outsiders' text: their time is proportional to it, or has a bound. */

const text = (value: string) => ({ text: value, value, json: false });
const json = (value: Json) => ({ text: JSON.stringify(value), value, json: true });
const call: StageCall = { name: 'dedupe', calledAs: 'dedupe', words: [], flags: new Map() };
const rows = <T>(count: number, row: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => row(i));
/** Texts of one length that differ only at their ends. */
const alike = (count: number) => rows(count, (i) => 'a'.repeat(16_400) + String(i).padStart(6, '0'));

describe('HTML becomes text', () => {
  const shapes = [
    '<',
    '<a',
    '<a>',
    '<a href="',
    '<a "',
    '&',
    '&#1',
    '<!--',
    '<!',
    '</',
    '</a>',
    '<script>',
    '<script></scripx>',
    '<pre>',
    '= ',
    '<a = ',
    '<td>',
    ' ',
  ];
  test.each(
    sweep(
      shapes.flatMap((shape) => [shape, `<a ${shape}`]),
      16,
    ),
  )('made of %j', (shape) => {
    expectLinear((size) => shape.repeat(size), htmlText, 10_000);
  });
});

describe('branches are merged', () => {
  test.each(['union', 'intersection', 'weighted'] as const)('by %s, all items under one key', (how) => {
    expectLinear(
      (size) => new Map([['a', rows(size, (v) => ({ id: 1, v }))]]),
      (results) => mergeBranches({ how, key: 'id' }, results),
      1000,
    );
  });

  test.each(['union', 'intersection', 'weighted'] as const)('by %s, with more items of one key than a call takes arguments', (how) => {
    const results = new Map([['a', rows(130_000, (v) => ({ id: 1, v }))]]);
    expect(mergeBranches({ how, key: 'id' }, results).merged).toHaveLength(130_000);
  });

  test('with long items of one length', () => {
    expectLinear(
      (size) => new Map([['a', alike(size)]]),
      (results) => mergeBranches({ how: 'union', key: 'id' }, results),
      60,
    );
  });
});

describe('long texts of one length are distinguished', () => {
  test.each<[string, (texts: string[]) => unknown]>([
    ['by dedupe', (texts) => dedupe(call, texts)],
    [
      'by groupBy',
      (texts) =>
        groupBy(
          { ...call, flags: new Map([['key', '.x']]) },
          texts.map((x) => ({ x })),
        ),
    ],
    ['by uniqueItems', (texts) => checkSchemaHere('unique', { uniqueItems: true }, texts)],
    ['by what has changed', (texts) => changedFiles(text(texts.join('\n')), text('none'))],
  ])('%s', (_, work) => expectLinear(alike, work, 60));
});

describe('what has changed is reported', () => {
  test('of many lines', () =>
    expectLinear(
      (size) => text('a\nb\n'.repeat(size)),
      (before) => changedFiles(before, text('c')),
      20_000,
    ));
  test('of many items', () =>
    expectLinear(
      (size) => json(rows(size, (i) => i)),
      (before) => changedFiles(before, json([])),
      20_000,
    ));
  test('of deep values', () => {
    const deep = (size: number) => parseUntrustedJson(`${'['.repeat(size)}1${']'.repeat(size)}`) ?? null;
    expect(changedFiles(json(deep(199)), json(deep(198)))).toBeDefined();
  });
});

describe('templates and inputs', () => {
  test.each(['{{', '{{a', '{{a}', '}}', '{{}}', '{{ }', '{{{'])('placeholders of %j', (shape) =>
    expectLinear(
      (size) => shape.repeat(size),
      (whole) => replacePlaceholders(whole, () => ''),
      20_000,
    ),
  );
  test('filters', () =>
    expectLinear(
      (size) => 'a|"b'.repeat(size),
      (whole) => filterChain(whole).map(filterWords),
      20_000,
    ));
  test('inputs of a prompt', () =>
    expectLinear(
      (size) => [{ name: 'a', content: rows(size, (a) => ({ a })) }],
      (inputs) => shownInputs(inputs),
      5000,
    ));
  test('results in between', () =>
    expectLinear(
      (size) => '\n[… 1'.repeat(size),
      (whole) => headAndTail(whole, 30_000),
      20_000,
    ));
  test('keys in order', () => expectLinear((size) => Object.fromEntries(rows(size, (i) => [`k${i}`, i])), stableJson, 5000));
  test('secrets', () => expectLinear((size) => 'aaaaaaaab'.repeat(size), masker(['aaaaaaaac', 'baaaaaaaaaaaa']), 50_000));
  test.each(['%25', '%61', '%2525', 'a%', '%25%', '+ '])('secrets in addresses made of %j', (shape) => {
    const mask = masker(['%25%2525%25%25%25x', 'aaaaaaaaaaaaaaaax', '% % %%%%%+++ +%x']);
    expectLinear((size) => shape.repeat(size), mask, 20_000);
  });
});

describe('a table', () => {
  test.each<[string, Json[]]>([
    ['many fields and many items', [Object.fromEntries(rows(20_000, (i) => [`k${i}`, 1])), ...rows(20_000, () => ({ a: 1 }))]],
    ['a long cell and many items', [{ a: 'x'.repeat(20_000) }, ...rows(20_000, () => ({ a: 1 }))]],
  ])('of %s is refused before it is made', async (_, items) => {
    expect(await codeOf((async () => table(items))())).toBe('output.too-large');
  });
});

describe('what a tool server answers', () => {
  const told = (result: Record<string, Json>) => resultText(result, undefined, { mostCharacters: 1000, mask: (one) => one });
  test('is compared with its structured part if it can be the same', () => {
    const make = (size: number) => ({
      content: rows(size, () => ({ type: 'text', text: '{"b":1}' })),
      structuredContent: Object.fromEntries(rows(size, (i) => [`k${i}`, i])),
    });
    expectLinear(make, told, 1000);
    expect(told({ content: [{ type: 'text', text: '{ "a": [1.0, 2] }' }], structuredContent: { a: [1, 2] } }).text).toBe(
      '{ "a": [1.0, 2] }',
    );
  });

  test('is refused if it nests without end', () => {
    expect(() => told({ content: [], structuredContent: JSON.parse('['.repeat(10_000) + ']'.repeat(10_000)) })).toThrow(/too deeply/);
  });
});

test('a document is looked for in a bounded part of what a program prints', () => {
  const lines = `${'[\n'.repeat(100)}${'1,'.repeat(500_000)}x`;
  const parse = jest.spyOn(JSON, 'parse');
  expect(lastJsonDocument(lines)).toBeUndefined();
  const tried = parse.mock.calls.reduce((sum, [one]) => sum + String(one).length, 0);
  parse.mockRestore();
  expect(tried).toBeLessThan(10 * lines.length);
});

describe('JSON of outsiders', () => {
  test.each([
    ['nests', `${'['.repeat(10_000)}${']'.repeat(10_000)}`],
    [
      'has keys that are long and of one length',
      `{${alike(300)
        .map((key) => `"${key}":1`)
        .join(',')}}`,
    ],
  ])('that %s without end is none', (_, written) => expect(parseUntrustedJson(written)).toBeUndefined());

  test('may have long texts, and a few long keys', () => {
    const long = 'x'.repeat(5_000_000);
    expect(parseUntrustedJson(JSON.stringify({ [long]: long }))).toEqual({ [long]: long });
    expect(parseUntrustedJson(JSON.stringify(alike(300)))).toHaveLength(300);
    const quoted = rows(100, (i) => `${'\\"'.repeat(9000)}:${i}`);
    expect(parseUntrustedJson(JSON.stringify(quoted))).toEqual(quoted);
  });

  const shapes = ['"', '"a"', '"\\', '\\"', '"":', '"a', '[""]', '"\\\\"', `"${'a'.repeat(17_000)}" `];
  test.each(shapes)('is looked through once: %.20s', (shape) => {
    expectLinear((size) => shape.repeat(Math.ceil(size / shape.length)), hasManyLongKeys, 200_000);
  });
});
