import { GALLERY } from '../../cli/init/gallery';
import { itemsOf, readPage } from './page';

/** docs/templates.md has every template of the gallery, with the words and the lines that the command prints. */
const page = readPage('docs/templates.md');

test('the list has the gallery in its order, in its words', () => {
  const listed = itemsOf(page).flatMap((item) => {
    const [, name, anchor, purpose] = /^\[`([\w-]+)`\]\(#([\w-]+)\): (.+)\. It shows /.exec(item) ?? [];
    return name === undefined ? [] : [{ name, anchor, purpose }];
  });
  expect(listed).toEqual(GALLERY.map(({ name, purpose }) => ({ name, anchor: name, purpose })));
});

test.each(GALLERY.map(({ name, commands }) => ({ name, commands })))('the section of $name has the lines to try', ({ name, commands }) => {
  expect(page).toContain(`\n## ${name}\n\n\`\`\`sh\n${commands.join('\n')}\n\`\`\`\n`);
});
