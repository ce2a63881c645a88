import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { anchorsOf, linksOf, PAGES, ROOT, readPage } from './page';

/** Links of all pages lead to existing files and headings. */
describe.each(PAGES)('%s', (path) => {
  const page = readPage(path);

  it('links to what is there', () => {
    const broken = linksOf(page).filter((link) => {
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? path : normalize(join(dirname(path), file));
      if (!existsSync(join(ROOT, target))) return true;
      return anchor !== undefined && !anchorsOf(readPage(target)).has(anchor);
    });
    expect(broken).toEqual([]);
  });

  it('names no machine', () => {
    expect(page.match(/\/(?:root|tmp|work|home)\/\S+|@vm\b/g) ?? []).toEqual([]);
  });
});

it('finds links', () => {
  expect(linksOf(readPage('README.md'))).toContain('docs/gates.md');
  expect(anchorsOf(readPage('docs/gates.md'))).toContain('the-policy-of-a-gate');
});
