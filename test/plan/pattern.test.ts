import { RE2JS } from 're2js';
import { readPattern } from '../../plan/text/pattern';

function ours(pattern: string): (text: string) => boolean {
  const read = readPattern(pattern);
  if (read.kind !== 'read') throw new Error(`${pattern} ${read.problem}`);
  const engine = RE2JS.compile(read.re2);
  return (text) => engine.test(text);
}

/** V8 finds `\B` between the two halves of a character, which ECMAScript does not. */
const ASTRAL = /[\u{10000}-\u{10ffff}]/u;

function compare(pattern: string, texts: readonly string[]): void {
  const own = ours(pattern);
  const theirs = new RegExp(pattern, 'u');
  const comparable = pattern.includes('\\B') ? texts.filter((text) => !ASTRAL.test(text)) : texts;
  const wrong = comparable.filter((text) => own(text) !== theirs.test(text));
  if (wrong.length > 0) throw new Error(`${JSON.stringify(pattern)} is not the same on ${JSON.stringify(wrong)}`);
}

/** Every character that a class could misjudge, by itself and within others. */
const CHARACTERS = [
  ...Array.from({ length: 0x180 }, (_, code) => String.fromCharCode(code)),
  ...['\u1680', '\u180e', '\u2000', '\u200a', '\u200b', '\u2028', '\u2029', '\u202a', '\u202f', '\u205f', '\u2060', '\u3000', '\ufeff'],
  ...['\u212a', '\u017f', '\u0130', '\u01c5', '\u4e2d', '\u0660', '\ue000', '\ufffe', '\uffff'],
  ...['\u{10000}', '\u{1f600}', '\u{10ffff}', '\ud800', '\udbff', '\udc00', '\udfff', '\ude00\ud83d'],
];
const TEXTS = [
  '',
  ...CHARACTERS,
  ...CHARACTERS.map((character) => `a${character}b`),
  ...[
    '\r\n',
    'a\r\nb',
    'a\nb',
    'b\n',
    '\na',
    'aa',
    'aaa',
    'ab',
    'abab',
    'a b',
    'a-b',
    'a.b',
    'A',
    'Ab',
    '-',
    '[]',
    '{,5}',
    'a{,5}',
    '(?i)a',
    '\\Qa.b\\E',
  ],
  ...[
    '2026-11-22',
    '2026',
    'foo/bar',
    'a\u{1f600}b',
    '\u{1f600}\u{1f600}',
    'éa',
    'e\u0301',
    'K',
    'k',
    'ſ',
    's',
    'S',
    'aaaaaaaa',
    'x1_y',
    'a'.repeat(300),
  ],
];

const PATTERNS = [
  ...['', 'a', 'ab', '^a', 'a$', '^a$', '^$', '$^', '^', '$', '\\ba', 'a\\b', '\\Ba', 'a\\B', '\\b', '\\B', '^\\b', '\\bab\\b'],
  ...['.', '^.$', '^.*$', 'a.b', '^..$', '^a.b$', '.+', '^[^]$', '[]', 'a[]', '[]|a', '[^]', '^[^][^]$', '[^]*'],
  ...['\\d', '^\\d+$', '\\D', '^\\D$', '\\w', '^\\w$', '\\W', '^\\W$', '\\s', '^\\s$', '\\S', '^\\S$', '^\\S+$'],
  ...[
    '[\\d]',
    '^[\\w]$',
    '^[\\s]$',
    '^[\\S]$',
    '^[\\D]$',
    '^[\\W]$',
    '^[^\\d]$',
    '^[^\\w]$',
    '^[^\\s]$',
    '^[^\\S]$',
    '^[^\\W]$',
    '^[^\\D]$',
  ],
  ...['^[\\s\\S]$', '^[^\\s\\S]$', '^[\\d\\s]$', '^[^\\d\\s]$', '^[\\w-]+$', '[\\d.-]', '^[a-z\\d_]+$', '^[\\W\\d]$'],
  ...[
    '[a-c]',
    '^[^a-c]$',
    '^[--a]$',
    '^[a-]$',
    '^[-a]$',
    '[\\]]',
    '[\\[]',
    '[\\\\]',
    '^[.]$',
    '^[\\^a]$',
    '^[a^]$',
    '^[$]$',
    '^[&&]$',
    '^[[:alpha:]$',
    '^[[]$',
  ],
  ...[
    '\\t',
    '\\n',
    '\\v',
    '\\f',
    '\\r',
    '\\0',
    '\\x41',
    '\\x00',
    '\\u0041',
    '\\u{41}',
    '\\u{1F600}',
    '\\u{000041}',
    '\\cA',
    '\\cj',
    '\\cZ',
    '[\\cJ]',
    '[\\b]',
  ],
  ...[
    '\\uD83D\\uDE00',
    '[\\uD83D\\uDE00]',
    '^[\\uD83D\\uDE00]$',
    '\\uD800',
    '^\\uD800$',
    '\\uDC00',
    '[\\uD800-\\uDFFF]',
    '^[^\\uD800-\\uDFFF]$',
  ],
  ...['\u{1f600}', '^\u{1f600}$', '[\u{1f600}-\u{1f64f}]', '\u{1f600}+', '^(?:\u{1f600}){2}$', '^[^\u{1f600}]$'],
  ...[
    '\\/',
    '\\.',
    '\\*',
    '\\+',
    '\\?',
    '\\(',
    '\\)',
    '\\[',
    '\\]',
    '\\{',
    '\\}',
    '\\|',
    '\\^',
    '\\$',
    '\\\\',
    '[\\-]',
    '^\\{,5\\}$',
    '/',
    '-',
    '&',
    ' ',
    '#',
  ],
  ...[
    '\\p{L}',
    '^\\p{L}$',
    '\\p{Lu}',
    '\\p{Ll}',
    '\\P{L}',
    '^\\P{Lu}$',
    '[\\p{L}]',
    '^[^\\p{L}]$',
    '[\\P{L}]',
    '^[\\p{L}\\d]$',
    '\\p{N}',
    '\\p{Nd}',
    '\\p{gc=Lu}',
  ],
  ...[
    '\\p{General_Category=Zs}',
    '\\p{Zs}',
    '\\p{P}',
    '\\p{S}',
    '\\p{C}',
    '\\p{Cc}',
    '\\p{Cs}',
    '\\p{Co}',
    '\\p{M}',
    '\\p{Lt}',
    '\\p{Z}',
    '\\p{Sc}',
  ],
  ...[
    'a*',
    '^a*$',
    '^a+$',
    '^a?$',
    '^a{2}$',
    '^a{2,}$',
    '^a{2,3}$',
    '^a{0}$',
    '^a{0,2}b',
    'a{300}',
    '^a{1000}$',
    '^(?:a{10}){100}$',
    '^(?:){5}$',
  ],
  ...['a*?', '^a+?$', '^a??$', '^a{2}?$', '^a{2,}?$', '^a{2,3}?b$', '^.*?b$'],
  ...[
    'a|b',
    '^a|b$',
    '^(a|b)$',
    '^(?:a|b)$',
    '|a',
    'a|',
    '(|a)b',
    '()',
    '(?:)',
    '^(?:a|ab)(?:c|bcd)?$',
    '((a)|(b))+',
    '^(?:a*)*$',
    '^(?:a|b)*$',
  ],
  ...['(?<year>\\d{4})-(?<month>\\d\\d)', '^(?<n>a)(?<m>b)$', '(?<$>a)', '(?<\\u{61}>a)'],
  ...['[k]', 'k', '\\u212a', '[ſ]', 's', 'É', '\\(\\?i\\)a', '\\\\Q', '^\\x5cQ', '\\[:alpha:\\]', 'Q', 'E', 'z', 'A', 'C', 'x'],
  ...['^[\\w.+-]+@[\\w-]+(\\.[\\w-]+)+$', '^(\\w+\\s?)*$', '^(a+)+$', '^a*a*a*b$', '^("[^"\\\\]*(\\\\.[^"\\\\]*)*")$'],
];

test.each(PATTERNS)('%j finds what it finds in ECMAScript', (pattern) => compare(pattern, TEXTS));

test('a class is the same for every character', () => {
  const every = Array.from({ length: 0x1_0000 }, (_, code) => String.fromCharCode(code));
  for (const pattern of ['.', '\\d', '\\w', '\\s', '\\W', '\\S', '\\D', '[^\\s]', '[^\\w]', '[^\\D]']) compare(pattern, every);
});

/** Random numbers that are the same in every run. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

test('patterns made by chance find what they find in ECMAScript', () => {
  const chance = dice(7);
  const one = (from: readonly string[]) => from[chance(from.length)] ?? '';
  const atoms = [
    'a',
    'b',
    'c',
    '.',
    '\\d',
    '\\w',
    '\\s',
    '\\S',
    '\\W',
    '[ab]',
    '[^a]',
    '[^]',
    '[a-c]',
    '[\\w-]',
    '\\n',
    '\\u2028',
    '\u{1f600}',
    '\\p{L}',
    '\\b',
    '\\B',
    '^',
    '$',
  ];
  const marks = ['', '', '', '*', '+', '?', '{2}', '{1,}', '{0,2}', '*?', '+?', '??', '{1,2}?'];
  const made = (depth: number): string => {
    const pieces = Array.from({ length: 1 + chance(3) }, () => {
      const isGroup = depth > 0 && chance(3) === 0;
      const atom = isGroup ? `${one(['(', '(?:'])}${made(depth - 1)}${chance(2) === 0 ? `|${made(depth - 1)}` : ''})` : one(atoms);
      return /^(?:\\b|\\B|\^|\$)$/.test(atom) ? atom : atom + one(marks);
    });
    return pieces.join('');
  };
  const letters = ['a', 'b', 'c', '1', '_', ' ', '-', '\n', '\r', '\u2028', '\u00a0', 'é', '\u{1f600}'];
  for (let round = 0; round < 2000; round += 1) {
    const pattern = made(2);
    const texts = Array.from({ length: 8 }, () => Array.from({ length: chance(8) }, () => one(letters)).join(''));
    compare(pattern, texts);
  }
});

test.each([
  ['(?i)a', 'invalid', '(?i)a'],
  ['\\Qa\\E', 'invalid', '\\Qa\\E'],
  ['a{,5}', 'invalid', 'a{,5}'],
  ['(', 'invalid', '('],
  ['[b-a]', 'invalid', '[b-a]'],
  ['\\-', 'invalid', '\\-'],
  ['\\a', 'invalid', '\\a'],
  ['a**', 'invalid', 'a**'],
  ['^*', 'invalid', '^*'],
  ['\\p{Nonsense}', 'invalid', '\\p{Nonsense}'],
  ['x(?=a)', 'unsupported', '(?='],
  ['x(?!a)', 'unsupported', '(?!'],
  ['(?<=a)x', 'unsupported', '(?<='],
  ['b(?<!a)x', 'unsupported', '(?<!'],
  ['(a)\\1', 'unsupported', '\\1'],
  ['(?<n>a)\\k<n>b', 'unsupported', '\\k<n>'],
  ['xa{1001}y', 'unsupported', '{1001}'],
  ['a{1001,}', 'unsupported', '{1001,}'],
  ['a{1,99999999999}', 'unsupported', '{1,99999999999}'],
  ['b(?:a{100}){11}', 'unsupported', '{11}'],
  ['[\\p{Script=Greek}]', 'unsupported', '\\p{Script=Greek}'],
  ['\\p{Alphabetic}', 'unsupported', '\\p{Alphabetic}'],
])('%j is %s, with its place', (pattern, kind, about) => {
  const read = readPattern(pattern);
  expect(read).toMatchObject({ kind, problem: expect.any(String) });
  if (read.kind !== 'read') expect(pattern.slice(read.start, read.end)).toBe(about);
});

test('a pattern takes time in proportion to the text, and its parts have a bound', () => {
  expect(ours('^a*a*a*a*a*a*b$')('a'.repeat(100_000))).toBe(false);
  expect(ours('^(a+)+$')(`${'a'.repeat(100_000)}b`)).toBe(false);
  expect(RE2JS.compile((readPattern('(?:.{1000}){1}'.repeat(9)) as { re2: string }).re2).programSize()).toBeLessThan(10_000);
  expect(readPattern('.{1000}'.repeat(11))).toMatchObject({ kind: 'unsupported' });
});

test('groups within groups have the bound of the engine', () => {
  expect(readPattern('('.repeat(60) + ')'.repeat(60))).toMatchObject({ kind: 'read' });
});
