import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { wrapProse } from '../docs/wrap';

/** What the tests of collaboration patterns show, read from their names, such as `CP-4 · time-out · what came by then counts`. */

/** The columns of the matrix, in the order of the page. */
export const COLUMNS = [
  'entry',
  'roles',
  'workflow',
  'success',
  'fallbacks',
  'time-out',
  'late answer',
  'duplicate',
  'silence/abstention',
  'worker killed',
  'cancel',
  'pause',
  'budget',
  'continue-as-new',
  'rerun from inside',
] as const;
export type Column = (typeof COLUMNS)[number];

export interface PatternTest {
  pattern: string;
  column: string;
  rule: string;
}

const FOLDERS = ['patterns', 'durability'];

/** Every test that is named after a pattern. A row of a table has a name of its own, which begins with its column. */
export function patternTests(): PatternTest[] {
  return FOLDERS.flatMap((folder) => {
    const at = join(__dirname, '..', folder);
    const files = readdirSync(at).filter((name) => name.endsWith('.test.ts'));
    return files.flatMap((name) => testsIn(readFileSync(join(at, name), 'utf8')));
  });
}

function testsIn(text: string): PatternTest[] {
  const [, own] = /'(CP-\d+) · /.exec(text) ?? [];
  if (own === undefined) return [];
  const named = [...text.matchAll(/'(CP-\d+) · ([^·']+) · ([^']+)'/g)].flatMap(([, pattern = '', column = '', rule = '']) =>
    column.includes('%') ? [] : [{ pattern, column, rule: rule.replace(/(: \w+)?[:,]? ?%.*$/, '') }],
  );
  const rows = [...text.matchAll(/\[\s*'([^·']+) · ([^']+)'/g)].flatMap(([, column = '', rule = '']) =>
    COLUMNS.some((known) => known === column) ? [{ pattern: own, column, rule }] : [],
  );
  return [...named, ...rows];
}

/** What the tests show about a pattern, by column. `empty` says why a column has no tests. */
export function matrixOf(pattern: string, tests: readonly PatternTest[], empty: Partial<Record<Column, string>>): string {
  const lines = COLUMNS.map((column) => {
    const rules = [...new Set(tests.filter((test) => test.pattern === pattern && test.column === column).map(({ rule }) => rule))];
    return `- **${column}:** ${rules.length === 0 ? `*none: ${empty[column] ?? '?'}*` : rules.join('; ')}`;
  });
  return wrapProse(lines.join('\n'));
}
