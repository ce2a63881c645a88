import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { slugOf } from '../../compiler/language/reference';

/** The pages for people, as they are in the repository. */
export const ROOT = join(__dirname, '..', '..');
export const PAGES = [
  ...['README.md', 'CHANGELOG.md'],
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`)
    .sort(),
];

export function readPage(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** Blocks of code in one language, without the indent of the list around them. */
export function blocksOf(page: string, language: string): string[] {
  const found = page.matchAll(new RegExp(`^( *)\`\`\`${language}\\n([\\s\\S]*?)^ *\`\`\`$`, 'gm'));
  return [...found].map(([, indent = '', text = '']) => text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''));
}

/** The anchors of a page, to which a link may lead. */
export function anchorsOf(page: string): Set<string> {
  const prose = page.replaceAll(/^( *)```[\s\S]*?^ *```$/gm, '');
  return new Set([...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => slugOf(heading)));
}

/** Links that stay within the repository. */
export function linksOf(page: string): string[] {
  const prose = page.replaceAll(/^( *)```[\s\S]*?^ *```$/gm, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link).filter((link) => !/^[a-z]+:/.test(link));
}

/** The items of the lists of a text, each in one line. */
export function itemsOf(text: string): string[] {
  return [...text.matchAll(/^- (.+(?:\n {2}\S.*)*)$/gm)].map(([, item = '']) => item.replaceAll(/\n */g, ' '));
}
