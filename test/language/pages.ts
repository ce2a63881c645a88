import { dirname, relative } from 'node:path';
import { WRITTEN_KINDS } from '../../compiler/language/kinds';
import { referenceParts } from '../../compiler/language/reference';
import { anchorsOf, readPage } from '../docs/page';
import { wrapProse } from '../docs/wrap';

/** The pages of the language: the basics, the keys of the file, and one for each kind of step. */
export const LANGUAGE_PAGES = ['docs/language.md', 'docs/file.md', ...WRITTEN_KINDS.map((kind) => `docs/steps/${kind}.md`)];

const PART = /<!-- part: (.+?) -->\n[\s\S]*?<!-- end -->/g;
const parts = referenceParts();

/** A page with every generated part up to date: the text between `<!-- part: x -->` and `<!-- end -->` is replaced. */
export function withParts(page: string): string {
  return readPage(page).replaceAll(PART, (_, name: string) => {
    const part = wrapProse(
      (parts.get(name) ?? '').replaceAll(/\]\(([^):]+)\)/g, (_link, target: string) => `](${linkFrom(page, target)})`),
    );
    return `<!-- part: ${name} -->\n${page === 'docs/language.md' ? part : part.replaceAll(/^###/gm, '##')}<!-- end -->`;
  });
}

export function partsOn(page: string): string[] {
  return [...readPage(page).matchAll(PART)].map(([, name = '']) => name);
}

/** Parts are written as if the whole language were one page in docs/, so a heading is searched on all pages of the language. */
function linkFrom(page: string, target: string): string {
  if (!target.startsWith('#')) return relative(dirname(page), `docs/${target}`);
  const holder = LANGUAGE_PAGES.find((one) => ANCHORS.get(one)?.has(target.slice(1)));
  if (holder === page || holder === undefined) return target;
  const path = relative(dirname(page), holder);
  return holder === `docs/steps/${target.slice(1)}.md` ? path : `${path}${target}`;
}

/** The headings of each page, with those of its parts that are not on the page yet. */
export const ANCHORS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  LANGUAGE_PAGES.map((page) => [page, anchorsOf(readPage(page).replaceAll(PART, (_, name: string) => parts.get(name) ?? ''))]),
);
