import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { referenceParts } from '../../compiler/language/reference';
import { EVERY_STEP_ROWS } from '../../compiler/language/step';
import type { Json } from '../../plan/text/json';
import { blocksOf, ROOT, readPage } from '../docs/page';
import { ANCHORS, LANGUAGE_PAGES, partsOn, withParts } from './pages';
import { withSteps } from './places';
import { errorsOf, errorsOfText } from './world';

/** The errors of an example: a list of steps, which follow `draft`, or a whole file. */
function errorsOfExample(text: string): string[] {
  const value: unknown = load(text);
  return Array.isArray(value) ? errorsOf(withSteps(value as Json[])) : errorsOfText(text);
}

if (process.env['UPDATE'] === '1') for (const page of LANGUAGE_PAGES) writeFileSync(join(ROOT, page), withParts(page));

describe.each(LANGUAGE_PAGES)('%s', (path) => {
  const page = readPage(path);

  it('is as the rows have it', () => {
    expect(page).toBe(withParts(path));
  });

  // Scripts are played by `test/docs/whole-files.test.ts`.
  const pipelines = blocksOf(page, 'yaml').filter((text) => !text.startsWith('# scripts/'));
  it.each(pipelines.map((text) => [text.split('\n')[0], text] as const))('the example that begins %s compiles', (_, text) => {
    expect(errorsOfExample(text)).toEqual([]);
  });

  it('has an example', () => {
    expect(blocksOf(page, 'yaml').length).toBeGreaterThan(0);
  });
});

describe('the pages of the language', () => {
  it('have each generated part once', () => {
    expect(LANGUAGE_PAGES.flatMap(partsOn).sort()).toEqual([...referenceParts().keys()].sort());
  });

  it('have each heading that the lists link to on one page', () => {
    const links = [...referenceParts().values()].flatMap((part) => [...part.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor = '']) => anchor));
    const holders = (anchor: string): string[] => LANGUAGE_PAGES.filter((page) => ANCHORS.get(page)?.has(anchor));
    expect([...new Set(links)].filter((anchor) => holders(anchor).length !== 1)).toEqual([]);
  });

  it('have the keys that every step has in one list', () => {
    const lists = [...referenceParts()].filter(([name]) => name.startsWith('kind ') || name === 'mapping defaults');
    const repeated = lists.flatMap(([name, part]) =>
      EVERY_STEP_ROWS.flatMap(({ key }) => (part.includes(`\n- **\`${key}\`**`) ? [`${name}: ${key}`] : [])),
    );
    // A task has these of its own.
    expect(repeated).toEqual(['kind task: description', 'kind task: priority']);
  });
});
