import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { PROGRAM, ROOT, sourcesIn } from './sources';

/** A comment that refers to a page names a page of the repository, by its path. */

/** Every page, and the names that documents about a design would have. */
const PAGES = [
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.startsWith('steps/'))
    .map((name) => basename(name)),
  ...['engine.md', 'style.md', 'design.md'],
];
const ALONE = new RegExp(`(?<![\\w/.-])(?:${PAGES.join('|').replaceAll('.', '\\.')})(?![\\w/])`);
const COMMENT = /^\s*(?:\/\*\*?|\*|\/\/)/;

/** The pages that a comment names and that do not exist. */
function missing(line: string): string[] {
  if (!COMMENT.test(line)) return [];
  const named = [...line.matchAll(/(?<![\w./-])docs\/[\w/-]+\.md/g)].map(([path]) => path).filter((path) => !existsSync(join(ROOT, path)));
  return [...named, ...(ALONE.exec(line) ?? []), ...(/\bseed 0\d\d\b|\bdesign\/\w/i.exec(line) ?? [])];
}

test('comments cite pages of the repository, by their path', () => {
  const lines = sourcesIn([...PROGRAM, 'bench', 'scripts', 'test'], /\.[cm]?[jt]s$/).flatMap(([file, text]) =>
    text.split('\n').map((line) => ({ file, line })),
  );
  expect(lines.filter(({ line }) => missing(line).length > 0).map(({ file, line }) => `${file}: ${line.trim()}`)).toEqual([]);
});

test.each([
  ['/** Votes (docs/patterns.md, CP-4). */', []],
  ['/** Votes (patterns.md, CP-4). */', ['patterns.md']],
  [' * Rows of engine.md.', ['engine.md']],
  [' * A page (docs/nowhere.md).', ['docs/nowhere.md']],
  [' * Folders (docs/internals/architecture.md).', []],
  [' * Folders (docs/architecture.md).', ['docs/architecture.md']],
  ['/** The table of seed 002. */', ['seed 002']],
  ["const page = 'patterns.md';", []],
])('what is wrong with %s', (line, expected) => {
  expect(missing(line)).toEqual(expected);
});
