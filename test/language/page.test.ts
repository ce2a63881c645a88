import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { referenceParts, slugOf } from '../../compiler/language/reference';
import type { Json } from '../../plan/text/json';
import { withSteps } from './places';
import { errorsOf, errorsOfText } from './world';

const PAGE = join(__dirname, '..', '..', 'docs', 'language.md');
const parts = referenceParts();

/** The page with every generated part as it should be; what stands between `<!-- part: x -->` and `<!-- end -->` is not kept. */
function withParts(page: string): string {
  return page.replace(/<!-- part: (.+?) -->\n[\s\S]*?<!-- end -->/g, (_, name: string) => {
    return `<!-- part: ${name} -->\n${parts.get(name) ?? ''}<!-- end -->`;
  });
}

/** A list of steps, which follow `draft`, or a whole file. */
function errorsOfExample(text: string): string[] {
  const value: unknown = load(text);
  return Array.isArray(value) ? errorsOf(withSteps(value as Json[])) : errorsOfText(text);
}

describe('docs/language.md', () => {
  if (process.env['UPDATE'] === '1') writeFileSync(PAGE, withParts(readFileSync(PAGE, 'utf8')));
  const page = readFileSync(PAGE, 'utf8');

  it('is as the tables have it', () => {
    expect(page).toBe(withParts(page));
  });

  it('has each generated part once', () => {
    const placed = [...page.matchAll(/<!-- part: (.+?) -->/g)].map((match) => match[1]);
    expect(placed.sort()).toEqual([...parts.keys()].sort());
  });

  it('links to headings that are there', () => {
    const headings = new Set([...page.matchAll(/^#+ (.+)$/gm)].map((match) => slugOf(match[1] ?? '')));
    const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map((match) => match[1] ?? '');
    expect(links.filter((link) => !headings.has(link))).toEqual([]);
  });

  const examples = [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? '');
  it.each(examples.map((text) => [text.split('\n')[0], text] as const))('the example that begins %s compiles', (_, text) => {
    expect(errorsOfExample(text)).toEqual([]);
  });

  it('has examples', () => {
    expect(examples.length).toBeGreaterThan(15);
  });
});
