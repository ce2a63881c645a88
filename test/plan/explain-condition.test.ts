import type { ExpressionScope } from '../../plan/expressions/evaluate';
import { explainFalse } from '../../plan/expressions/explain-condition';
import type { BinaryOperator, Expr } from '../../plan/expressions/expression';
import { parseJson } from '../../plan/text/json-text';

const VALUES: Record<string, unknown> = parseJson(`{"verdict":"revise","n":1.10,"long":"${'x'.repeat(100)}","list":["a","b"],"no":false}`);
const scope: ExpressionScope = {
  output: (_, [key = '']) => VALUES[key] as never,
  record: () => null,
  arg: () => 'BTC',
  run: () => 'r',
  variable: () => undefined,
  state: () => 'failed',
};
const ref = (key: string): Expr => ({ kind: 'output', step: 'review', path: [key] });
const is = (value: never): Expr => ({ kind: 'literal', value });
const two = (left: Expr, operator: BinaryOperator, right: Expr): Expr => ({ kind: 'binary', operator, left, right });
const call = (name: string, ...given: Expr[]): Expr => ({ kind: 'call', function: name, arguments: given });
const pass = two(ref('verdict'), '==', is('pass' as never));

test.each<[Expr, string]>([
  [pass, 'review.verdict == "pass", where review.verdict is "revise"'],
  [
    two(ref('verdict'), '==', { kind: 'arg', name: 'market', path: [] }),
    'review.verdict == args.market, where review.verdict is "revise" and args.market is "BTC"',
  ],
  [two(two(ref('list'), '!=', is(null as never)), '&&', pass), 'review.verdict == "pass", where review.verdict is "revise"'],
  [two(pass, '||', ref('no')), 'review.verdict == "pass", where review.verdict is "revise"; review.no is false'],
  [ref('missing'), 'review.missing is null'],
  [{ kind: 'not', operand: ref('verdict') }, '!review.verdict, where review.verdict is "revise"'],
  [
    { kind: 'not', operand: two(ref('verdict'), '==', is('revise' as never)) },
    '!(review.verdict == "revise"), where review.verdict is "revise"',
  ],
  [call('skipped', ref('x')), 'skipped(review.x) is false'],
  [two(call('length', ref('list')), '>', is(3 as never)), 'length(review.list) > 3, where length(review.list) is 2'],
  [two(ref('long'), '==', is('a' as never)), `review.long == "a", where review.long is "${'x'.repeat(58)}…`],
  [is(false as never), 'false'],
])('%j is explained', (condition, why) => {
  expect(explainFalse(condition, scope)).toBe(`its condition is false: ${why}`);
});

test('a long one is cut', () => {
  const many = Array.from({ length: 50 }, () => ref('long')).reduce((all, one) => two(all, '||', two(one, '==', is('a' as never))), pass);
  expect(explainFalse(many, scope).length).toBeLessThanOrEqual(300);
});
