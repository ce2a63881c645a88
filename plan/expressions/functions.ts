import { isJsonObject, type Json, sameJson } from '../text/json';

/** A function of the expression language over values, as data: the compiler checks arity, the docs list it. */
export interface ExpressionFunction {
  name: string;
  parameters: readonly string[];
  doc: string;
  apply: (values: readonly Json[]) => Json;
}

/** Functions of the states of steps. Their argument is a step's name, checked by the compiler; `always` has none. */
export const STATE_FUNCTIONS = ['always', 'failed', 'skipped'] as const;
export type StateFunction = (typeof STATE_FUNCTIONS)[number];

export function isStateFunction(name: string): name is StateFunction {
  return (STATE_FUNCTIONS as readonly string[]).includes(name);
}

export const VALUE_FUNCTIONS: readonly ExpressionFunction[] = [
  { name: 'defined', parameters: ['x'], doc: 'whether x is there and not null', apply: ([x]) => (x ?? null) !== null },
  {
    name: 'length',
    parameters: ['x'],
    doc: 'items of a list, keys of an object, characters of a text; else 0',
    apply: ([x]) => lengthOf(x ?? null),
  },
  {
    name: 'contains',
    parameters: ['x', 'y'],
    doc: 'whether list x has an item equal to y, text x has y in it, or object x has key y',
    apply: ([x, y]) => contains(x ?? null, y ?? null),
  },
  {
    name: 'lower',
    parameters: ['x'],
    doc: 'text x in lower case; anything else as it is',
    apply: ([x]) => (typeof x === 'string' ? x.toLowerCase() : (x ?? null)),
  },
  { name: 'json', parameters: ['x'], doc: 'x as JSON text', apply: ([x]) => JSON.stringify(x ?? null) },
  { name: 'default', parameters: ['x', 'y'], doc: 'x, or y if x is missing or null', apply: ([x, y]) => x ?? y ?? null },
];

export function valueFunction(name: string): ExpressionFunction | undefined {
  return VALUE_FUNCTIONS.find((f) => f.name === name);
}

export function contains(whole: Json, part: Json): boolean {
  if (Array.isArray(whole)) return whole.some((item) => sameJson(item, part));
  if (typeof part !== 'string') return false;
  if (typeof whole === 'string') return whole.includes(part);
  return isJsonObject(whole) && Object.hasOwn(whole, part);
}

function lengthOf(value: Json): number {
  if (typeof value === 'string' || Array.isArray(value)) return value.length;
  return isJsonObject(value) ? Object.keys(value).length : 0;
}
