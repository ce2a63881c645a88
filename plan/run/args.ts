import { contextProblem, mergedContext } from '../agents/agent-context';
import type { ArgSpec, ArgType, Plan } from '../plan';
import { isJsonObject, type Json, sameJson } from '../text/json';
import { parseSpelled } from '../text/json-text';
import { isLongNumber } from '../text/numbers';
import { cutAfter } from '../text/shortened';
import { copyField, type Spelled } from '../text/spelled-json';

export interface ArgProblem {
  arg: string;
  problem: string;
}

/**
 * Checks args against the pipeline's declarations and fills in defaults. Every mistake is reported: a missing or unknown arg, a wrong type,
 * a value outside the enum, one that would make the context of all agents too long. A Lobster file takes args that it does not declare.
 */
export function checkArgs(
  { args: specs = {}, dialect, context }: Pick<Plan, 'args' | 'dialect' | 'context'>,
  given: Readonly<Record<string, Json>>,
): { args: Record<string, Json>; problems: ArgProblem[] } {
  const declared = new Map(Object.entries(specs));
  const problems: ArgProblem[] = [];
  const args: Record<string, Json> = {};
  for (const [arg, spec] of declared) {
    const value = Object.hasOwn(given, arg) ? given[arg] : spec.default;
    if (value === undefined) {
      if (spec.required) problems.push({ arg, problem: 'is required' });
      continue;
    }
    // The value is not repeated: a text given in place of a reference may be the secret itself.
    if (spec.secret && !isSecretReference(value)) problems.push({ arg, problem: 'takes a reference such as secret://env/NAME' });
    else if (spec.type && !isOfType(value, spec.type))
      problems.push({ arg, problem: `must be of type ${spec.type}, got ${beginningOf(value)}${isLong(value) ? LONG_NUMBER : ''}` });
    else if (spec.enum && !spec.enum.some((allowed) => sameJson(allowed, value))) {
      problems.push({ arg, problem: `must be one of ${spec.enum.map((v) => JSON.stringify(v)).join(', ')}` });
    } else if (Object.hasOwn(given, arg)) copyField(given, arg, args);
    else copyField(spec, 'default', args, arg);
  }
  for (const arg of Object.keys(given)) {
    if (declared.has(arg)) continue;
    if (dialect === 'lobster') {
      copyField(given, arg, args);
      continue;
    }
    const known = declared.size === 0 ? 'the pipeline takes none' : `known: ${[...declared.keys()].join(', ')}`;
    problems.push({ arg, problem: `is unknown; ${known}` });
  }
  return { args, problems: [...problems, ...tooLong(mergedContext(context, args), given)] };
}

const LONG_NUMBER = ', which is read as text because a double would round it: declare the arg as a string';

function isLong(value: Json): boolean {
  return typeof value === 'string' && isLongNumber(value);
}

/** Reports the longest of the args in the agents' context as the one to shorten. */
function tooLong(context: Readonly<Record<string, Json>>, given: Readonly<Record<string, Json>>): ArgProblem[] {
  const problem = contextProblem(context);
  const lengthOf = (arg: string): number => JSON.stringify(context[arg] ?? null).length;
  const [longest] = Object.keys(context)
    .filter((arg) => Object.hasOwn(given, arg))
    .sort((a, b) => lengthOf(b) - lengthOf(a));
  return problem === undefined || longest === undefined ? [] : [{ arg: longest, problem: `is too long: the context with it ${problem}` }];
}

const SHOWN_CHARACTERS = 200;

/** The beginning of a value, as messages show it. */
export function beginningOf(value: Json): string {
  return cutAfter(JSON.stringify(value), SHOWN_CHARACTERS);
}

export const SECRET_SCHEME = 'secret://';

/** Whether a text within the value may be a reference: what others send must not name secrets. */
export function namesSecret(value: Json): boolean {
  return JSON.stringify(value).includes(SECRET_SCHEME);
}

/** A reference that activities resolve: `secret://env/NAME`, `secret://file/path`. */
export function isSecretReference(value: Json): value is string {
  return typeof value === 'string' && /^secret:\/\/(?:env|file)\/./.test(value);
}

export function isOfType(value: Json, type: ArgType): boolean {
  switch (type) {
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isJsonObject(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

/** Reads `k=v` from a command line: text for a `string` arg, JSON if it parses as such, text otherwise. */
export function readArgText(text: string, spec: ArgSpec | undefined): Spelled {
  if (spec?.type === 'string') return text;
  try {
    return parseSpelled(text);
  } catch {
    return text;
  }
}
