import { jsonInScript } from '../expressions/internal-functions';
import type { Json } from '../text/json';
import { jsonText } from '../text/json-text';

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
