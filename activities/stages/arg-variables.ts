import type { ExpressionScope } from '../../plan/expressions/evaluate';
import { jsonInScript } from '../../plan/expressions/internal-functions';
import type { Json } from '../../plan/text/json';
import { jsonText } from '../../plan/text/json-text';
import { plain } from '../../plan/text/spelled-json';

/** A run's args as variables of a Lobster file's commands and stages; a secret one as its value. */
export function argVariables(names: readonly string[], scope: Pick<ExpressionScope, 'arg'>): Record<string, string> {
  return lobsterArgEnvironment(Object.fromEntries(names.map((name) => [name, plain(scope.arg(name) ?? null)])));
}

/**
 * A Lobster run's args as its commands see them: `LOBSTER_ARGS_JSON`, and one `LOBSTER_ARG_<NAME>` each, with the name in capitals and `_`
 * for anything that is neither letter nor digit. They override the caller's environment, and the file's and the step's override them.
 */
export function lobsterArgEnvironment(args: Readonly<Record<string, Json>>): Record<string, string> {
  const found: Record<string, string> = { LOBSTER_ARGS_JSON: jsonText(args) };
  for (const [arg, value] of Object.entries(args)) {
    const name = arg
      .toUpperCase()
      .replace(/[^A-Z0-9]+/g, '_')
      .replace(/^_|_$/g, '');
    if (name !== '') found[`LOBSTER_ARG_${name}`] = jsonInScript(value);
  }
  return found;
}
