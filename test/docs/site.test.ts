import { DIAGNOSTICS } from '../../compiler/diagnostics/codes';
import { BODIES, kindRow, WRITTEN_KINDS } from '../../compiler/language/kinds';
import { rowAnchorsOf, withAnchors } from '../../docs/.vitepress/anchors';
import { sectionsOf } from '../../docs/.vitepress/menu';
import { FAILURES } from '../../plan/run/failure';
import { anchorsOf, PAGES, readPage } from './page';

/** What `npm run docs` builds, without building it. */

test('the menu is start, guides, reference, operate, internals', () => {
  const sections = sectionsOf(readPage('llms.txt'));
  expect(sections.map(({ title }) => title)).toEqual(['Start', 'Guides', 'Reference', 'Operate', 'Internals']);
});

test('each diagnostic has an anchor, its code', () => {
  expect(rowAnchorsOf(readPage('docs/diagnostics.md'))).toEqual(Object.keys(DIAGNOSTICS));
});

test('each error code has an anchor, the code', () => {
  expect(rowAnchorsOf(readPage('docs/failures.md'))).toEqual(Object.keys(FAILURES));
});

test.each(WRITTEN_KINDS)('each key of %s has an anchor', (kind) => {
  const anchors = rowAnchorsOf(readPage(`docs/steps/${kind}.md`));
  const shared = rowAnchorsOf(readPage('docs/language.md')).filter((anchor) => anchor.startsWith('several-kinds.'));
  const rows = [...kindRow(kind).rows, ...BODIES.flatMap((body) => (body.kind === kind ? body.rows : []))];
  const keys = new Set([...anchors, ...shared].map((anchor) => anchor.slice(anchor.indexOf('.') + 1)));
  expect(rows.map(({ key }) => key).filter((key) => !keys.has(key))).toEqual([]);
});

test.each(PAGES)('%s: an anchor is there once', (page) => {
  const rows = rowAnchorsOf(readPage(page));
  expect(rows.filter((row, i) => rows.indexOf(row) !== i || anchorsOf(readPage(page)).has(row))).toEqual([]);
});

test('a row is a link to itself, under the heading of its table, and code stays as it is', () => {
  const table = '| key | value |\n|---|---|\n| `max`, `most` | 5 |\n';
  const row = (id: string, name: string): string => `<a id="${id}" href="#${id}">\`${name}\`</a>`;
  expect(withAnchors(`# wait\n${table}`)).toContain(`| ${row('wait.max', 'max')}, ${row('wait.most', 'most')} | 5 |`);
  expect(withAnchors(`## Keys of \`retry\`\n${table}\n${table}`)).toContain(`| ${row('retry.max-1', 'max')}`);
  expect(withAnchors(`\`\`\`\n${table}\`\`\``)).not.toContain('<a');
});
