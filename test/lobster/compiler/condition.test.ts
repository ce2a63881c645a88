import { readCondition } from '../../../compiler/lobster/text/condition';
import { evaluate, truthy } from '../../../plan/expressions/evaluate';
import type { Json } from '../../../plan/text/json';
import { knownResults, scopeOf, type Values } from './scope';

function holds(condition: string, values: Values | Json): boolean {
  const read = readCondition(condition, knownResults());
  if (!read.expr) throw new Error(read.fault.message);
  return truthy(evaluate(read.expr, scopeOf({ output: values as Json, stdout: 'text\n', item: { n: 4 } })));
}

const output = {
  n: 5,
  ten: '10',
  word: 'hello',
  yes: true,
  no: false,
  nothing: null,
  zero: 0,
  empty: '',
  list: [1, { b: 2 }],
  o: { a: 1, b: [2] },
};

describe('conditions', () => {
  it.each<[string, boolean]>([
    ['$a.json.yes', true],
    ['$a.json.no', false],
    ['$a.json.zero', false],
    ['$a.json.empty', false],
    ['$a.json.list', true],
    ['$a.json.gone.further', false],
    ['!$a.json.gone', true],
    ['$a.json.n == 5', true],
    ['$a.json.n == "5"', false],
    ["$a.json.ten == '10'", true],
    ['$a.json.word == hello', true],
    ['$a.json.word != hello', false],
    ['$a.json.word == !hello', false],
    ['$a.json.list.1.b == 2', true],
    ['$a.json.o == $a.json.o', true],
    ['$a.json.o == $a.json.list', false],
    ['$a.json.n > 4', true],
    ['$a.json.n >= 5 && $a.json.n <= 5', true],
    ['$a.json.ten > 9', true],
    ['$a.json.ten > "9.5"', true],
    ['$a.json.word > 3', false],
    ['$a.json.word < 3', false],
    ['$a.json.yes > 0', false],
    ['$a.json.nothing >= 0', false],
    ['$a.json.empty >= 0', false],
    ['$a.json.gone < 1', false],
    ['-1.5 < $a.json.zero', true],
    ['$a.json.no || $a.json.yes && $a.json.no', false],
    ['($a.json.no || $a.json.yes) && !$a.json.no', true],
    ['($a.json.n && $a.json.word) == true', true],
    ['!($a.json.n && $a.json.word) == false', true],
    ['$a.json.nothing == null', true],
    ['$a.stdout == "text\\\n"', true],
    ['$a.id == a', true],
    ['$item.json.n == 4', true],
    ['$b.skipped', true],
    ['$b.skipped == true', true],
    ['$gate.approved && $gate.approvedBy == ann', true],
    ['$gate.error && $gate.errorMessage == boom', true],
    ['"it\\"s" == \'it"s\'', true],
    ['true', true],
    ['1 == 1', true],
  ])('%s is %s', (condition, expected) => {
    expect(holds(condition, output)).toBe(expected);
  });

  it('tell what is missing from null and from false, as Lobster does', () => {
    expect(holds('$a.json.gone == null', output)).toBe(false);
    expect(holds('$a.json.gone == $a.json.further', output)).toBe(true);
    expect(holds('$a.skipped == false', output)).toBe(false);
    expect(holds('$a.skipped != true', output)).toBe(true);
    expect(holds('$a.nonsense == null', output)).toBe(false);
  });

  it.each([
    ['ready', 0],
    ['$a.json.x = 1', 10],
    ['$a', 0],
    ['$a.json.x ==', 11],
    ['hello == $a.json.x', 0],
    ['1 < 2 < 3', 6],
    ['($a.json.x', 9],
    ['$a.json.x == (hello)', 14],
    ['$a.json.x)', 9],
    [`\${x} == 1`, 0],
    ["$a.json.x == 'open", 13],
    ['   ', 0],
    ['$a.json.x[0]', 9],
    ['"" == "\\', 6],
  ])('%s is none, and fails at %d', (condition, start) => {
    expect(readCondition(condition, knownResults())).toMatchObject({
      fault: { kind: 'syntax', start, message: `Unsupported condition: ${condition.trim()}` },
    });
  });

  it('name a step that has no result in Lobster’s own words', () => {
    expect(readCondition('$a.approved && $nobody.json.x', knownResults())).toMatchObject({
      fault: { kind: 'unknown-step', start: 15, end: 29, message: 'Unknown step reference: nobody.json.x' },
    });
  });

  it.each([`${'('.repeat(200)}1${')'.repeat(200)}`, `${'!'.repeat(200)}1`, '1 && '.repeat(600).concat('1')])(
    'end before they exhaust a stack',
    (condition) => {
      expect(readCondition(condition, knownResults())).toHaveProperty('fault.kind', 'syntax');
    },
  );
});
