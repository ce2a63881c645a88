import type { Expr, Template } from '../../../plan/expressions/expression';

/**
 * Parts get values from the code of their step, and templates that the author of a file writes for them may name these (`${increment.id}`).
 * To the compiler such a name is a variable; here it becomes what the part reads, the output of that name.
 */
export function readsGiven(template: Template, name: string): Template {
  return template.map((piece) => (typeof piece === 'string' ? piece : given(piece, name)));
}

function given(expr: Expr, name: string): Expr {
  switch (expr.kind) {
    case 'variable':
      return expr.name === name ? { kind: 'output', step: name, path: expr.path } : expr;
    case 'call':
      return { ...expr, arguments: expr.arguments.map((part) => given(part, name)) };
    case 'array':
      return { ...expr, items: expr.items.map((part) => given(part, name)) };
    case 'binary':
      return { ...expr, left: given(expr.left, name), right: given(expr.right, name) };
    case 'not':
      return { ...expr, operand: given(expr.operand, name) };
    default:
      return expr;
  }
}
