import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** The joined suites that `npm test` runs leave no file out, and have none twice. */
const root = resolve(__dirname, '..');
const joined = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.joined.ts'));
const folders = [...new Set(joined.map((name) => dirname(name)))];

test('no folder that is joined lies in another', () => {
  const inner = folders.filter((folder) => folders.some((other) => folder.startsWith(`${other}/`)));
  expect(inner).toEqual([]);
});

test.each(folders)('the suites of %s are all there, each once', (folder) => {
  const suites = joined.filter((name) => dirname(name) === folder).sort();
  if (suites.length === 1) return expect(suites.map((name) => basename(name))).toEqual(['all.joined.ts']);
  const parts = suites.map((name) =>
    /nth: (\d+), of: (\d+)/
      .exec(readFileSync(join(root, name), 'utf8'))
      ?.slice(1)
      .map(Number),
  );
  return expect(parts).toEqual(suites.map((_, i) => [i + 1, suites.length]));
});
