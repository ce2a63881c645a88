import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GALLERY } from '../../cli/init/gallery';
import { ROOT } from './page';

/** docs/templates.md has every template of the gallery, with the words and the lines that the command prints. */
const page = readFileSync(join(ROOT, 'docs/templates.md'), 'utf8');

test('the table lists the gallery in its order, in its words', () => {
  const rows = [...page.matchAll(/^\| \[`([\w-]+)`\]\(#([\w-]+)\) \| ([^|]+) \|/gm)].map(([, name, anchor, purpose]) => ({
    name,
    anchor,
    purpose,
  }));
  expect(rows).toEqual(GALLERY.map(({ name, purpose }) => ({ name, anchor: name, purpose })));
});

test.each(GALLERY.map(({ name, commands }) => ({ name, commands })))('the section of $name has the lines to try', ({ name, commands }) => {
  expect(page).toContain(`\n## ${name}\n\n\`\`\`sh\n${commands.join('\n')}\n\`\`\`\n`);
});
