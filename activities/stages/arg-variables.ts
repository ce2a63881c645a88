import type { ExpressionScope } from '../../plan/expressions/evaluate';
import { lobsterArgEnvironment } from '../../plan/stages/lobster-environment';

/** A run's args as variables of a Lobster file's commands and stages; a secret one as its value. */
export function argVariables(names: readonly string[], scope: Pick<ExpressionScope, 'arg'>): Record<string, string> {
  return lobsterArgEnvironment(Object.fromEntries(names.map((name) => [name, scope.arg(name) ?? null])));
}
