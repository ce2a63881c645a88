import { jsonInScript } from '../expressions/internal-functions';
import type { Json } from '../text/json';
import { jsonText } from '../text/json-text';

/**
 * What a Lobster run's args are to its commands: `LOBSTER_ARGS_JSON`, and `LOBSTER_ARG_<NAME>` each, its name in capitals with
 * `_` for whatever is neither letter nor digit. They lie over the caller's environment and under the file's and the step's.
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
