import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXAMPLES } from '../protocol/source-examples';
import { readSections, type Section, titlesIn } from '../protocol/statements';
import { ROOT, readPage } from './page';
import { wrapProse } from './wrap';

/** docs/evidence/protocol.md is made of test/protocol/statements.yaml: `UPDATE=1 npx jest test/docs/protocol`. */
const PATH = 'docs/evidence/protocol.md';
const sections = readSections();
const statements = sections.flatMap((section) => section.statements);

const HEAD = `# What is tested of the agents’ protocol

For auditors. Agents work together by a [protocol](../protocol.md): who gives work to whom, in which words, what a
report has to contain, who reviews it, and what only a person decides. Its source is the fourth part of the KingClawArmy
papers, “Agent collaboration protocol”, of 10 April 2026. Below are its sentences, table rows, fields, limits and
examples, each with the tests that show it. The headings are the source's. \`%s\` in the name of a test is
what its table puts in.

An empty text, and one of blanks, is a blank: what is missing is named in \`missing_fields\`.

This page is generated from \`test/protocol/statements.yaml\`.
`;

function shownBy({ shown }: Section['statements'][number]): string[] {
  const files = new Map<string, string[]>();
  for (const { file, title } of shown) files.set(file, [...(files.get(file) ?? []), title]);
  return [...files].map(([file, titles]) => `  - \`${file}\`: ${titles.map((title) => `“${title}”`).join(', ')}`);
}

function render({ title, statements: rows }: Section): string {
  return [`## ${title}`, '', ...rows.flatMap((row) => [`- ${row.says}`, ...shownBy(row)]), ''].join('\n');
}

const page = () => wrapProse([HEAD, ...sections.map(render)].join('\n'));

if (process.env['UPDATE'] === '1') writeFileSync(join(ROOT, PATH), page());

test('the page has each statement of the source', () => {
  expect(readPage(PATH)).toBe(page());
  expect(statements.length).toBeGreaterThan(190);
});

test('no statement occurs twice, and none is without a test', () => {
  const said = sections.flatMap(({ title, statements: rows }) => rows.map(({ says }) => `${title}: ${says}`));
  expect(said.filter((one, i) => said.indexOf(one) !== i)).toEqual([]);
  expect(statements.filter(({ shown }) => shown.length === 0).map(({ says }) => says)).toEqual([]);
});

test('each test that is named exists, in the file that is named', () => {
  const named = statements.flatMap(({ shown }) => shown);
  const titles = new Map([...new Set(named.map(({ file }) => file))].map((file) => [file, titlesIn(file)]));
  expect(named.filter(({ file, title }) => !titles.get(file)?.has(title)).map(({ file, title }) => `${file}: ${title}`)).toEqual([]);
});

test.each(Object.entries(EXAMPLES))('each field of %s in the source has a row', (name, example) => {
  const keys = [...JSON.stringify(example).matchAll(/"(\w+)":/g)].map(([, key]) => key);
  const rows = statements.flatMap(({ says }) => (says.startsWith(`${name}: `) ? [says] : [])).join('\n');
  expect(keys.length).toBeGreaterThan(5);
  for (const key of keys) expect(rows).toMatch(new RegExp(`[.\`]${key}\\b`));
});
