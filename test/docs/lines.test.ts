import { PAGES, readPage } from './page';
import { tooLong, WIDTH, wrapProse } from './wrap';

const pages = PAGES.filter((page) => page.startsWith('docs/') || page === 'README.md');

test.each(pages)('%s: a line of prose has at most 120 characters, and a row of a table 160', (page) => {
  expect(tooLong(readPage(page))).toEqual([]);
});

test('a generated paragraph is wrapped, and tables and code are not', () => {
  const long = 'word '.repeat(40).trim();
  const wrapped = wrapProse(`- ${long}\n| ${long} |\n\`\`\`text\n${long}\n\`\`\``).split('\n');
  expect(wrapped.filter((line) => line.length > WIDTH)).toEqual([`| ${long} |`, long]);
  expect(wrapped.slice(0, 2).map((line) => line.slice(0, 6))).toEqual(['- word', '  word']);
});
