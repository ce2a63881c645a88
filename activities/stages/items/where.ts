import type { StageCall } from '../stage-call';
import { stageFailed } from '../stage-failure';
import { coerced, type Item, member } from './item';

type Operator = '==' | '!=' | '<' | '<=' | '>' | '>=';
type Operand = string | number | boolean | null;

const CONDITION = /^([a-zA-Z0-9_.]+)\s*(==|=|!=|<=|>=|<|>)\s*(.+)$/;

/** `where a.b>=30`: the items for which the comparison holds. Values are compared with JavaScript's coercion, as in Lobster. */
export function where(call: StageCall, items: readonly Item[]): Item[] {
  const [condition] = call.words;
  if (!condition) throw stageFailed(call, 'where requires an expression (e.g. field=value)');
  const [, path, operator, written] = CONDITION.exec(condition) ?? [];
  if (path === undefined || !isOperator(operator) || written === undefined) {
    throw stageFailed(call, `Invalid where expression: ${condition}`);
  }
  const right = operand(written);
  return items.filter((item) => holds(operator, fieldAt(item, path), right));
}

function isOperator(text: string | undefined): text is Operator | '=' {
  return text !== undefined;
}

/** Unlike elsewhere, an empty part of the path is a key, and a text has no fields. */
function fieldAt(item: Item, path: string): Item {
  return path.split('.').reduce<Item>((here, key) => (typeof here === 'object' ? member(here, key) : undefined), item);
}

function operand(written: string): Operand {
  if (written === 'true' || written === 'false') return written === 'true';
  if (written === 'null') return null;
  return written.trim() === '' || Number.isNaN(Number(written)) ? written : Number(written);
}

function holds(operator: Operator | '=', left: Item, right: Operand): boolean {
  if (operator === '=' || operator === '==') return looselyEqual(left, right);
  if (operator === '!=') return !looselyEqual(left, right);
  const a = primitive(left);
  const b = primitive(right);
  if (typeof a === 'string' && typeof b === 'string') return ordered(operator, a, b);
  return ordered(operator, Number(a), Number(b));
}

function ordered<T extends string | number>(operator: '<' | '<=' | '>' | '>=', a: T, b: T): boolean {
  if (operator === '<') return a < b;
  if (operator === '<=') return a <= b;
  return operator === '>' ? a > b : a >= b;
}

/** JavaScript's `==`: null and missing are equal to each other alone; texts as texts, anything else as numbers. */
function looselyEqual(left: Item, right: Operand): boolean {
  const nothing = left === undefined || left === null;
  if (nothing || right === null) return nothing && right === null;
  const a = primitive(left);
  if (typeof a === 'string' && typeof right === 'string') return a === right;
  return Number(a) === Number(right);
}

function primitive(value: Item): string | number {
  if (typeof value === 'string') return value;
  if (typeof value === 'object' && value !== null) return coerced(value);
  return Number(value);
}
