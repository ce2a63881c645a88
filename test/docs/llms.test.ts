import { kindRow, WRITTEN_KINDS } from '../../compiler/language/kinds';
import { sectionsOf } from '../../docs/.vitepress/menu';
import { PAGES, readPage } from './page';

/** llms.txt, as https://llmstxt.org has it: one line for each page. */
const lines = readPage('llms.txt').split('\n');
const listed = sectionsOf(lines.join('\n')).flatMap(({ pages }) => pages);

test('llms.txt begins with what this is', () => {
  expect(lines[0]).toBe('# Thermidor');
  expect(lines[2]).toMatch(/^> .+\.$/);
});

test('llms.txt has each page once', () => {
  expect(listed.map(({ page }) => page).sort()).toEqual([...PAGES].sort());
});

test('llms.txt says of each what it answers, in one sentence', () => {
  expect(listed.filter(({ answer }) => !/^[A-Z].{15,160}\.$/.test(answer)).map(({ line }) => line)).toEqual([]);
});

test('llms.txt says of each kind of step what the language says', () => {
  const kinds = listed.filter(({ page }) => page.startsWith('docs/steps/'));
  const first = (meaning: string): string => `${meaning.split(/\.(?: |$)/)[0]}.`;
  expect(kinds.map(({ name, answer }) => [name, answer])).toEqual(WRITTEN_KINDS.map((kind) => [kind, first(kindRow(kind).meaning)]));
});
