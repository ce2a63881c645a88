import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DIAGNOSTICS, describeCodes } from '../../compiler';

const PAGE = join(__dirname, '..', '..', 'docs', 'diagnostics.md');

describe('docs/diagnostics.md', () => {
  it('has a row for each code, and no other', () => {
    if (process.env['UPDATE'] === '1') writeFileSync(PAGE, describeCodes());
    const page = readFileSync(PAGE, 'utf8');
    expect(page).toBe(describeCodes());
    const rows = [...page.matchAll(/^\| `([a-z]+\.[a-z-]+)` \|/gm)].map((match) => match[1]);
    expect(rows).toEqual(Object.keys(DIAGNOSTICS));
  });
});
