import { isPortable, PortableNames } from '../../records/exports/portable-name';

const DIGEST = 'a'.repeat(64);

test.each([
  ['a climb', '../x'],
  ['a path', '/etc/passwd'],
  ['a path of Windows', 'C:\\x'],
  ['a device of Windows', 'CON'],
  ['a device with an extension', 'aux.md'],
  ['nothing', ''],
  ['a hidden file', '.bashrc'],
  ['a folder', '..'],
  ['a full stop at the end, which Windows drops', 'x.'],
  ['a space', 'x y'],
  ['a letter that file systems write in two ways', 'é.md'],
  ['a line feed', 'x\n'],
  ['too long', 'x'.repeat(101)],
])('a name that is %s gives way to the digest', (_, wanted) => {
  expect(isPortable(wanted)).toBe(false);
  expect(new PortableNames().take(wanted, DIGEST)).toMatch(/^a{64}(\.\w+)?$/);
});

test('names that differ only in capitals are two files', () => {
  const names = new PortableNames();
  expect(names.take('Report.md', DIGEST)).toBe('Report.md');
  expect(names.take('report.MD', 'b'.repeat(64))).toBe(`${'b'.repeat(64)}.MD`);
  expect(names.take('Report.md', 'c'.repeat(64))).toBe(`${'c'.repeat(64)}.md`);
});
