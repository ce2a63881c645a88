import { cpSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { slugOf } from '../../compiler/language/reference';
import { withAnchors } from './anchors';
import { type Listed, sectionsOf } from './menu';

/**
 * The site that `npm run docs` builds: each page of llms.txt under its path in the repository, as HTML and as Markdown, with the files that
 * pages link to. It loads nothing from elsewhere, and the build fails on a link to a page that is not there.
 */
const root = process.cwd();
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const sections = sectionsOf(read('llms.txt'));

// biome-ignore lint/style/noDefaultExport: VitePress reads its configuration so.
export default {
  title: 'Thermidor',
  description: 'Durable pipelines of AI agents, commands and people, written in YAML and run on Temporal.',
  srcDir: '..',
  outDir: '../site',
  srcExclude: ['!(docs)/**/*'],
  rewrites: { 'README.md': 'index.md' },
  markdown: { anchor: { slugify: slugOf }, config: pagesOfTheSite },
  // The largest file is the search's index, which is read at the first search.
  vite: { build: { chunkSizeWarningLimit: 4000 } },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar: sections.map(({ title, pages }) => ({ text: title, items: menuItems(pages) })),
  },
  buildEnd({ outDir }: { outDir: string }): void {
    const pages = sections.flatMap((section) => section.pages.map(({ page }) => page));
    for (const path of ['llms.txt', ...pages, ...pages.flatMap(filesLinkedFrom)]) cpSync(join(root, path), join(outDir, path));
  },
};

/** The kinds of step are a menu of their own, closed at first. */
function menuItems(pages: readonly Listed[]): object[] {
  const items = (some: readonly Listed[]): object[] =>
    some.map(({ name, page }) => ({ text: name, link: `/${page.replace(/^README\.md$/, '')}` }));
  const isKind = ({ page }: Listed): boolean => page.startsWith('docs/steps/');
  const kinds = pages.filter(isKind);
  if (kinds.length === 0) return items(pages);
  const first = pages.findIndex(isKind);
  const menu = { text: 'Kinds of step', collapsed: true, items: items(kinds) };
  return [...items(pages.slice(0, first)), menu, ...items(pages.slice(first).filter((page) => !isKind(page)))];
}

/** Markdown as the repository has it becomes that of the site: README.md is its first page, rows have anchors, each page links to its source. */
function pagesOfTheSite(md: { core: { ruler: { before(name: string, own: string, rule: (state: State) => void): void } } }): void {
  md.core.ruler.before('normalize', 'thermidor', (state) => {
    const page = withAnchors(state.src).replaceAll(/(\]\((?:\.\.\/)*)README\.md/g, '$1index.md');
    state.src = `${page}\n\n<a href="./${basename(state.env.path)}" target="_self">This page as Markdown</a>\n`;
  });
}

interface State {
  src: string;
  env: { path: string };
}

/** Pipelines and code that a page links to. */
function filesLinkedFrom(page: string): string[] {
  const targets = [...read(page).matchAll(/\]\(([^)\s#:]+\.(?:yaml|ts|svg))\)/g)].map(([, target = '']) => target);
  return targets.map((target) => normalize(join(dirname(page), target)));
}
