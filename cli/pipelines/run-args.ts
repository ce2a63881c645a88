import type { Plan } from '../../plan/plan';
import { beginningOf, checkArgs, readArgText } from '../../plan/run/args';
import { isJsonObject, type Json } from '../../plan/text/json';
import { parseSpelled } from '../../plan/text/json-text';
import { plain, type Spelled, setSpelled, spelledFields, spelledObject } from '../../plan/text/spelled-json';
import { CommandFailure, EXIT, usage } from '../exit';

/**
 * Args of a run from `--args-json` and `--arg name=value`, the latter winning, checked against the pipeline. Pure. A secret is given as its
 * reference, `secret://env/NAME`, and stays one: activities resolve it.
 */
export function readRunArgs(plan: Plan, json: string | undefined, pairs: readonly string[]): Record<string, Json> {
  return withArgs(plan, json === undefined ? {} : parseObject(json), pairs, '--arg');
}

/** Replaces some args by values that an option gives, and checks all of them. */
export function withArgs(
  plan: Plan,
  before: Readonly<Record<string, Json>>,
  pairs: readonly string[],
  option: string,
): Record<string, Json> {
  const given = spelledObject(spelledFields(before));
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    if (at < 1) throw usage(`${option} takes name=value, got "${pair}"`);
    const name = pair.slice(0, at);
    const spec = plan.args !== undefined && Object.hasOwn(plan.args, name) ? plan.args[name] : undefined;
    setSpelled(given, name, readArgText(pair.slice(at + 1), spec));
  }
  const { args, problems } = checkArgs(plan, given);
  if (problems.length === 0) return args;
  const lines = problems.map(({ arg, problem }) => `arg "${arg}" ${problem}`);
  throw new CommandFailure(EXIT.usage, 'args.invalid', lines.length === 1 ? (lines[0] ?? '') : `${lines.length} args are wrong`, {
    details: { problems: lines },
    hint: `give args with ${option} name=value${option === '--arg' ? ' or --args-json' : ''}`,
  });
}

function parseObject(text: string): Record<string, Json> {
  const value = plain(parseJson(text, '--args-json'));
  if (!isJsonObject(value)) throw usage(`--args-json must be a JSON object, got ${beginningOf(value)}`);
  return value;
}

/** JSON of an option, which must be JSON. */
export function parseJson(text: string, option: string): Spelled {
  try {
    return parseSpelled(text);
  } catch (error) {
    throw usage(`${option} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** JSON if it parses as such, text otherwise. */
export function jsonOrText(text: string): Spelled {
  return readArgText(text, undefined);
}
