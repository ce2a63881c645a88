import type { ExpressionScope } from '../../plan/expressions/evaluate';
import { lobsterArgEnvironment } from '../../plan/stages/lobster-environment';
import { plain } from '../../plan/text/spelled-json';

/** A run's args as variables of a Lobster file's commands and stages; a secret one as its value. */
export function argVariables(names: readonly string[], scope: Pick<ExpressionScope, 'arg'>): Record<string, string> {
  return lobsterArgEnvironment(Object.fromEntries(names.map((name) => [name, plain(scope.arg(name) ?? null)])));
}
