import { isJsonObject, type Json, sameJson } from '../text/json';
import { jsonText } from '../text/json-text';

/**
 * Functions that no author can call: the compiler uses them wherever Lobster's rules differ from the language's own. Unlike the others they
 * distinguish a missing value (`undefined`) from null, and may return a missing one.
 */
export interface InternalFunction {
  name: string;
  apply: (values: readonly (Json | undefined)[]) => Json | undefined;
}

const INTERNAL_FUNCTIONS: readonly InternalFunction[] = [
  /** Nothing: a field that a step of this kind never has. */
  { name: 'lobster.missing', apply: () => undefined },
  /** (x): x as text within text. */
  { name: 'lobster.text', apply: ([x]) => lobsterText(x) },
  /** (x): x as a loop's variable shows it in `.stdout`. */
  { name: 'lobster.stdout', apply: ([x]) => (x === undefined || typeof x === 'string' ? x : jsonText(x)) },
  /** (arg, written): the arg as text; if the run has none, the text in the file. */
  { name: 'lobster.arg', apply: ([x, written]) => (x === undefined ? written : jsonInScript(x)) },
  /** (x): true, or missing: Lobster's records have no `skipped: false`. */
  { name: 'lobster.flag', apply: ([x]) => (x === true ? true : undefined) },
  /** (x): "true" or "false", of `.approved` and `.skipped` within text. */
  { name: 'lobster.flagText', apply: ([x]) => String(x === true) },
  /** (x, y): by value, without coercion. */
  { name: 'lobster.same', apply: ([x, y]) => (x === undefined || y === undefined ? x === y : sameJson(x, y)) },
  /** (operator, x, y): of numbers and texts that are numbers; anything else is false. */
  { name: 'lobster.ordered', apply: ([operator, x, y]) => numericallyOrdered(operator, x, y) },
  /** (…): the first value that is not missing. */
  { name: 'lobster.first', apply: (values) => values.find((value) => (value ?? null) !== null) },
  /** (skipped, failed, otherwise, …): `otherwise` if the step did not end well, else the first value that is not missing. */
  {
    name: 'lobster.resultOf',
    apply: ([skipped, failed, otherwise, ...own]) =>
      skipped === true || failed === true ? otherwise : own.find((value) => (value ?? null) !== null),
  },
];

const internalByName: ReadonlyMap<string, InternalFunction> = new Map(INTERNAL_FUNCTIONS.map((known) => [known.name, known]));

export function internalFunction(name: string): InternalFunction | undefined {
  return internalByName.get(name);
}

/** Texts as they are, nothing for null, JSON without blanks for the rest. */
function lobsterText(value: Json | undefined): string {
  if ((value ?? null) === null) return '';
  return typeof value === 'string' ? value : jsonText(value);
}

/** A value as JavaScript converts it to text, which Lobster does with args. */
export function jsonInScript(value: Json): string {
  if (Array.isArray(value)) return value.map((item) => (item === null ? '' : jsonInScript(item))).join(',');
  return isJsonObject(value) ? '[object Object]' : String(value);
}

function numericallyOrdered(operator: Json | undefined, x: Json | undefined, y: Json | undefined): boolean {
  const [a, b] = [asNumber(x), asNumber(y)];
  if (operator === '<') return a < b;
  if (operator === '<=') return a <= b;
  return operator === '>' ? a > b : operator === '>=' && a >= b;
}

/** The number, or the number in a text; NaN, which has no order, for anything else. */
function asNumber(value: Json | undefined): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
}
