import type { BinaryOperator, Expr } from '../../plan/expressions/expression';
import { writeExpr, writeTemplate } from '../../plan/expressions/write-expression';

const ref = (step: string, ...path: (string | number)[]): Expr => ({ kind: 'output', step, path });
const literal = (value: null | string | number): Expr => ({ kind: 'literal', value });
const binary = (operator: BinaryOperator, left: Expr, right: Expr): Expr => ({ kind: 'binary', operator, left, right });
const not = (operand: Expr): Expr => ({ kind: 'not', operand });
const call = (name: string, ...given: Expr[]): Expr => ({ kind: 'call', function: name, arguments: given });
const [a, b, c] = [ref('a'), ref('b'), ref('c')];

test.each<[string, Expr]>([
  ['review.items[0].verdict == "pass"', binary('==', ref('review', 'items', 0, 'verdict'), literal('pass'))],
  ['a && b || c', binary('||', binary('&&', a, b), c)],
  ['a && (b || c)', binary('&&', a, binary('||', b, c))],
  ['!(a && b)', not(binary('&&', a, b))],
  ['!a && b', binary('&&', not(a), b)],
  ['(a == b) == c', binary('==', binary('==', a, b), c)],
  ['$approve.approvedBy', { kind: 'record', step: 'approve', field: 'approvedBy', path: [] }],
  ['contains([a, 2], args.x.y)', call('contains', { kind: 'array', items: [a, literal(2)] }, { kind: 'arg', name: 'x', path: ['y'] })],
  ['run.startedAt', { kind: 'run', field: 'startedAt' }],
  ['item.name', { kind: 'variable', name: 'item', path: ['name'] }],
])('%s', (text, expr) => {
  expect(writeExpr(expr)).toBe(text);
});

test('what the compiler put in for Lobster’s rules is left out', () => {
  expect(writeExpr(call('lobster.same', call('lobster.flag', a), literal('x')))).toBe('a == "x"');
  expect(writeExpr(not(call('lobster.ordered', literal('<'), a, literal(3))))).toBe('!(a < 3)');
  expect(writeTemplate(['x ', call('lobster.arg', { kind: 'arg', name: 'v', path: [] }, literal('as written'))])).toBe(`x \${args.v}`);
});
