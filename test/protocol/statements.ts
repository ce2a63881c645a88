import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { isJsonObject, type Json } from '../../plan/text/json';
import { EXAMPLES } from './source-examples';

/**
 * The statements of the protocol's source, and the tests that show them: `statements.yaml`, with the fields of the source's reports filled
 * in.
 */
export interface Statement {
  says: string;
  shown: readonly ShownBy[];
}
export interface ShownBy {
  /** The path of the test file, from the root of the repository. */
  file: string;
  title: string;
}
export interface Section {
  title: string;
  statements: Statement[];
}

const ROOT = join(__dirname, '..', '..');

export function readSections(): Section[] {
  const written: unknown = load(readFileSync(join(__dirname, 'statements.yaml'), 'utf8'));
  return Object.entries(mappingOf(written)).map(([title, rows]) => ({
    title,
    statements: (Array.isArray(rows) ? rows : []).flatMap((row) =>
      mappingOf(row)['reports'] === true ? FIELDS : [statementOf(mappingOf(row))],
    ),
  }));
}

function mappingOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`${JSON.stringify(value)} is no mapping`);
  return Object.fromEntries(Object.entries(value));
}

function statementOf({ says, shown }: Record<string, unknown>): Statement {
  if (typeof says !== 'string') throw new Error(`a statement says nothing: ${JSON.stringify(says)}`);
  const tests = Object.entries(mappingOf(shown ?? {}));
  return { says, shown: tests.flatMap(([path, titles]) => [titles].flat().map((title) => ({ file: fileOf(path), title: String(title) }))) };
}

function fileOf(path: string): string {
  return path.startsWith('pipelines/') ? `${path}.test.yaml` : `test/${path}.test.ts`;
}

/** A row for the example of each report, and for each of its fields. */
const FIELDS: Statement[] = Object.entries(EXAMPLES).flatMap(([name, example]) => [
  { says: `The example of ${name}.json.`, shown: [reports('the example of the source is a whole report')] },
  ...leavesOf(example).map(({ path, value }) => ({
    says: `${name}: \`${path}\`${wordsOf(value)}`,
    shown: [
      reports('each field of the source that a report lacks is named by its path'),
      reports('each field is of one type, and another is refused at its place'),
      ...(isListed(value) ? [reports('a field whose words the source lists takes each of them, and no other')] : []),
    ],
  })),
]);

function reports(title: string): ShownBy {
  return { file: fileOf('protocol/reports'), title };
}

function leavesOf(value: Json, path = ''): { path: string; value: Json }[] {
  if (Array.isArray(value)) return isJsonObject(value[0]) ? leavesOf(value[0], `${path}[]`) : [{ path: `${path}[]`, value: '' }];
  if (!isJsonObject(value)) return [{ path, value }];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, path === '' ? key : `${path}.${key}`));
}

/** Whether the source lists the words of a field; a list that ends in `...` continues. */
function isListed(value: Json): boolean {
  return typeof value === 'string' && value.includes('|') && !value.includes('...');
}

function wordsOf(value: Json): string {
  if (!isListed(value)) return '';
  const words = String(value).split('|');
  return `: ${words.map((word) => `\`${word}\``).join(', ')}`;
}

/** The titles of the tests in a file, as they are written there. `%s` is a value of a table. */
export function titlesIn(file: string): Set<string> {
  if (!existsSync(join(ROOT, file))) return new Set();
  const text = readFileSync(join(ROOT, file), 'utf8').replaceAll(/^ *(?:\/\/|#).*$/gm, '');
  const pattern = file.endsWith('.yaml') ? /^ +- name: (['"]?)(.+)\1$/gm : /(?:\b(?:it|test)|\))\(\s*(['"`])((?:\\.|(?!\1).)+)\1/g;
  return new Set([...text.matchAll(pattern)].flatMap(([, , title]) => (title === undefined ? [] : [title])));
}
