import { type Expr, subexpressions } from '../../plan/expression';
import { isStateFunction } from '../../plan/functions';

/** Whether a condition is about how other steps ended: `failed(x)`, `skipped(x)`, `always()`. */
export function usesStateFunction(when: Expr): boolean {
  return [...subexpressions(when)].some((part) => part.kind === 'call' && isStateFunction(part.function));
}
