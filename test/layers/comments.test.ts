import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A comment says what a thing is. One that begins with "Of" says only what the thing belongs to, and leaves the noun to the reader. */
const ROOT = join(__dirname, '../..');
const ROOMS = [
  'activities',
  'bench',
  'cli',
  'client',
  'compiler',
  'kinds',
  'plan',
  'records',
  'scripts',
  'test',
  'types',
  'worker',
  'workflows',
];

const WITHOUT_NOUN = /(?:\/\*\*?|^\s*\*|\/\/) Of /;

function withoutNoun(source: string): string[] {
  return source.split('\n').filter((line) => WITHOUT_NOUN.test(line));
}

test('no comment begins with "Of"', () => {
  const files = ROOMS.flatMap((room) =>
    readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.[cm]?[jt]sx?$/.test(name) && !name.includes('node_modules'))
      .map((name) => join(room, name)),
  );
  expect(files.length).toBeGreaterThan(2000);
  expect(files.flatMap((file) => withoutNoun(readFileSync(join(ROOT, file), 'utf8')).map((line) => `${file}: ${line}`))).toEqual([]);
});

test.each([
  ['/**', 'Of a run. */'],
  ['  /*', 'Of a run. */'],
  [' *', 'Of a run, what it has spent.'],
  ['const runs = 1; //', 'Of a run.'],
])('would find %s %s', (begin, words) => {
  const line = `${begin} ${words}`;
  expect(withoutNoun(line)).toEqual([line]);
});
