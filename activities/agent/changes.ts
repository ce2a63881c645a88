import { isJsonObject, type Json, sameJson } from '../../plan/text/json';
import { shortened } from '../../plan/text/shortened';
import { textKey } from '../schemas/pattern-key';
import type { StoredValue } from '../stored/stored-values';

/** The limits of lines in one comparison, and of one value or line in it, in characters. */
const LINES_LIMIT = 100;
const VALUE_LIMIT = 160;

/**
 * The changes from one output to the next, as lines: of JSON by path (`~ risk.stop: 5 → 6`, `+` for new, `-` for removed), of text by line.
 * Bounded: its last line says how much is left out. Undefined if the two are the same.
 */
export function changedFiles(
  before: Pick<StoredValue, 'text' | 'value' | 'json'>,
  after: Pick<StoredValue, 'text' | 'value' | 'json'>,
): string | undefined {
  if (before.text === after.text) return undefined;
  const lines = before.json && after.json ? changedPaths('', before.value, after.value) : changedLines(before.text, after.text);
  if (lines.length === 0) return 'Only its format has changed: the order of keys or lines, or white space.';
  const left = lines.length - LINES_LIMIT;
  return [...lines.slice(0, LINES_LIMIT), ...(left > 0 ? [`… and ${left} more`] : [])].join('\n');
}

function changedPaths(path: string, before: Json | undefined, after: Json | undefined): string[] {
  const name = path === '' ? 'the whole' : path;
  if (before === undefined) return after === undefined ? [] : [`+ ${name}: ${short(after)}`];
  if (after === undefined) return [`- ${name}: ${short(before)}`];
  if (sameJson(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) {
    const [longer] = before.length > after.length ? [before] : [after];
    return longer.flatMap((_, i) => changedPaths(`${path}[${i}]`, before[i], after[i]));
  }
  if (isJsonObject(before) && isJsonObject(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return keys.flatMap((key) => changedPaths(path === '' ? key : `${path}.${key}`, own(before, key), own(after, key)));
  }
  return [`~ ${name}: ${short(before)} → ${short(after)}`];
}

function own(object: { [key: string]: Json }, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function short(value: Json): string {
  return shortened(JSON.stringify(value), VALUE_LIMIT);
}

/** Lines that only one of the two has, or has more often. */
function changedLines(before: string, after: string): string[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  return [
    ...onlyIn(old, now).map((line) => `- ${shortened(line, VALUE_LIMIT)}`),
    ...onlyIn(now, old).map((line) => `+ ${shortened(line, VALUE_LIMIT)}`),
  ];
}

function onlyIn(lines: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const key of others.map(textKey)) left.set(key, (left.get(key) ?? 0) + 1);
  return lines.filter((line) => {
    const key = textKey(line);
    const count = left.get(key) ?? 0;
    left.set(key, count - 1);
    return count <= 0 && line.trim() !== '';
  });
}
