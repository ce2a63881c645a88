import { PROGRAM, sourcesIn } from './sources';

const SOURCES = sourcesIn([...PROGRAM, 'bench', 'scripts', 'test', 'types'], /\.[cm]?[jt]sx?$/);

/** A comment says what a thing is. One that begins with "Of" says only what the thing belongs to, and leaves the noun to the reader. */
const WITHOUT_NOUN = /(?:\/\*\*?|^\s*\*|\/\/) Of /;

function withoutNoun(source: string): string[] {
  return source.split('\n').filter((line) => WITHOUT_NOUN.test(line));
}

test('no comment begins with "Of"', () => {
  expect(SOURCES.length).toBeGreaterThan(2000);
  expect(SOURCES.flatMap(([file, source]) => withoutNoun(source).map((line) => `${file}: ${line}`))).toEqual([]);
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

/** The formatter breaks lines of code, and leaves comments as they are. */
const WIDTH = 140;

function tooLong(source: string): string[] {
  return source.split('\n').filter((line) => line.length > WIDTH && /^\s*(?:\/\*\*|\*|\/\/) /.test(line));
}

test('no line of a comment is longer than a line of code', () => {
  expect(SOURCES.flatMap(([file, source]) => tooLong(source).map((line) => `${file}: ${line}`))).toEqual([]);
});

test.each(['/**', ' *', '  //'])('would find a long one that begins with %s', (begin) => {
  const [long, fitting] = ['x'.repeat(WIDTH), 'x'.repeat(WIDTH - begin.length - 1)];
  expect(tooLong(`${begin} ${long}\n${begin} ${fitting}`)).toEqual([`${begin} ${long}`]);
});
