import { PROGRAM, sourcesIn } from './sources';

/** Limits of texts are called so. `plan/text/shortened.ts` cuts at them, and halves no character. */
const CUTS_TEXT =
  /\.slice\((?:0, |-)[A-Z_]*(?:CHARACTERS|LENGTH|MOST_(?:TEXT|TITLE|NAME|PATH|WORDS|SUMMARY|TAIL|OUTPUT|INSTRUCTIONS|SENTENCE)|(?:SUMMARY|LINE)_LIMIT|ROOM)\b/;
/** Lists of characters, and texts of a digest. */
const OTHERS = ['plan/text/percent-encoding.ts', 'activities/adapters/keyed-gate-links.ts'];

const cuts = (source: string): string[] => source.split('\n').filter((line) => CUTS_TEXT.test(line));
const SOURCES = sourcesIn(PROGRAM, /\.ts$/).filter(([file]) => !OTHERS.includes(file));

test('no text is cut by hand', () => {
  expect(SOURCES.length).toBeGreaterThan(1000);
  expect(SOURCES.flatMap(([file, source]) => cuts(source).map((line) => `${file}: ${line.trim()}`))).toEqual([]);
});

test.each(['text.slice(0, MOST_TEXT)', 'text.slice(-TAIL_CHARACTERS)', 'text?.slice(0, MOST_TITLE)'])('would find %s', (line) => {
  expect(cuts(line)).toHaveLength(1);
});
