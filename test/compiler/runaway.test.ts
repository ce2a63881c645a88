import { runaway } from '../../compiler/names/pattern/runaway';

describe('a regular expression of a schema', () => {
  it.each([
    '(a+)+',
    '(a*)*',
    '(a|a)*',
    '(a|aa)+',
    '(.*,)*x',
    '^(\\w+\\s?)*$',
    '(a*b*)*',
    '(\\d+|[0-9a-f]+)+$',
    '(x+x+)+y',
    '(a{1,10}){1,10}$',
    '(?=(a+)+b)c',
    '(?<!(a|a)*)c',
    '(a|b|ab)*c',
    '((a?)+)+',
    '(?<n>a)\\k<n>',
    '(a)\\1',
    '([\\u0061-\\x63]+)*$',
    '(?:[^x]|y)*'.repeat(80),
    '('.repeat(60) + ')'.repeat(60),
    'a'.repeat(3000),
  ])('is refused where it can run away: %s', (pattern) => {
    expect(runaway(pattern)).toEqual(expect.any(String));
  });

  it.each([
    '',
    '^[a-z]+$',
    '^\\d+(\\.\\d+)*$',
    '^([a-z0-9-]+\\.)*[a-z]+$',
    '^(\\d{1,3}\\.){3}\\d{1,3}$',
    '^#[0-9a-f]{6}$',
    '^(BTC|ETH)(/[A-Z]{3,5})?$',
    '^[A-Z][a-z]*(?: [A-Z][a-z]*)*$',
    '^\\p{L}+$',
    '^(?<year>\\d{4})-(\\d\\d)$',
    '^[\\w.+-]+@[\\w-]+(\\.[\\w-]+)+$',
    '^("[^"\\\\]*(\\\\.[^"\\\\]*)*")$',
    '^(?!x)[a-c]*\\b$',
    '^[0-9a-f]{8}-[0-9a-f]{4}$',
    '(ab|ac)*',
  ])('is taken where it cannot: %s', (pattern) => {
    expect(runaway(pattern)).toBeUndefined();
  });
});
