import type { Located, Report } from '../diagnostics/diagnostic';
import { didYouMean, listWords } from '../diagnostics/suggest';
import { foreignWordHint } from '../language/foreign-word-hint';
import type { ForeignPlace } from '../language/foreign-words';
import { DURATION } from '../language/patterns';
import { LONGEST_MS } from '../language/ranges';

import { describeNode, type Entry, type MappingNode, type ScalarNode, type SequenceNode, type SourceNode } from '../read/node';
import { listHint, nameListHint } from './list-hint';

/**
 * Readers of single values. Each returns undefined if and only if a mistake was reported, here or by the reader of the file; the caller
 * continues with what it has.
 */
export function wrongType(node: SourceNode, key: string, expected: string, report: Report, hint?: string): undefined {
  if (node.kind === 'scalar' && node.faulty) return undefined;
  report('shape.wrong-type', node.at, `"${key}" must be ${expected}, not ${describeNode(node)}`, hint);
  return undefined;
}

/** Reads text with at least one character that is not a blank. */
export function textOf({ key, value }: Entry, report: Report): Located<string> | undefined {
  const node = scalarOf(value, key, 'text', report);
  if (!node) return undefined;
  if (typeof node.value !== 'string')
    return wrongType(node, key, 'text', report, node.value === null ? 'write a value' : 'put it in quotes');
  if (node.value.trim() === '') {
    report('shape.wrong-type', node.at, `"${key}" is empty`, 'write a value, or remove the key');
    return undefined;
  }
  return { value: node.value, at: node.at };
}

function scalarOf(node: SourceNode, key: string, expected: string, report: Report): ScalarNode | undefined {
  if (node.kind === 'scalar') return node.faulty ? undefined : node;
  return wrongType(node, key, expected, report);
}

export function mappingOf({ key, value }: Entry, report: Report, expected = 'a mapping'): MappingNode | undefined {
  return value.kind === 'mapping' ? value : wrongType(value, key, expected, report);
}

export function sequenceOf(
  { key, value }: Entry,
  report: Report,
  expected = 'a list',
  howToWrite: (key: string, node: MappingNode) => string = listHint,
): SequenceNode | undefined {
  if (value.kind === 'sequence') return value;
  return wrongType(value, key, expected, report, value.kind === 'mapping' ? howToWrite(key, value) : undefined);
}

export function booleanOf({ key, value }: Entry, report: Report): boolean | undefined {
  if (value.kind === 'scalar' && typeof value.value === 'boolean') return value.value;
  return wrongType(value, key, 'true or false', report, value.kind === 'scalar' ? foreignWordHint('true or false', value.text) : undefined);
}

export function integerOf({ key, value }: Entry, min: number, max: number, report: Report): number | undefined {
  if (value.kind !== 'scalar' || typeof value.value !== 'number' || !Number.isInteger(value.value)) {
    return wrongType(value, key, 'a whole number', report);
  }
  if (value.value >= min && value.value <= max) return value.value;
  report('shape.out-of-range', value.at, `"${key}" must be from ${min} to ${max}, not ${value.text}`);
  return undefined;
}

/** Reads one of a few words. @param place the place for which other systems have words of their own */
export function wordOf<T extends string>(entry: Entry, words: readonly T[], report: Report, place?: ForeignPlace): Located<T> | undefined {
  const text = textOf(entry, report);
  if (!text) return undefined;
  const word = words.find((candidate) => candidate === text.value);
  if (word !== undefined) return { value: word, at: text.at };
  const answer = place && foreignWordHint(place, text.value);
  const hint = answer ?? didYouMean(text.value, words, `known: ${listWords(words)}`);
  report('shape.unknown-value', text.at, `"${entry.key}" is "${text.value}"`, hint);
  return undefined;
}

/** Reads a list of names; a single name may be written without brackets. No name contains a comma: several in one text are a mistake. */
export function namesOf(entry: Entry, report: Report): Located<string>[] | undefined {
  const texts = textsOf(entry, report, 'a list of names');
  const joined = texts?.filter(({ value }) => SEPARATOR.test(value)) ?? [];
  for (const { value, at } of joined) {
    const names = value.split(SEPARATOR).map((name) => name.trim());
    const quoted = names.map((name) => (/^[A-Za-z][\w-]*$/.test(name) ? name : JSON.stringify(name)));
    report('names.invalid', at, `"${value}" is not one name`, `write a list: [${quoted.join(', ')}]`);
  }
  return joined.length > 0 ? undefined : texts;
}

const SEPARATOR = /[,;]/;

/** Reads a list of texts; a single one may be written without brackets. */
export function textsOf(entry: Entry, report: Report, expected = 'a list of texts'): Located<string>[] | undefined {
  if (entry.value.kind === 'scalar') {
    const one = textOf(entry, report);
    return one && [one];
  }
  const list = sequenceOf(entry, report, expected, nameListHint);
  return list?.items.flatMap((item) => textOf({ ...entry, value: item }, report) ?? []);
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A duration in integer milliseconds. */
export function durationOf({ key, value }: Entry, report: Report): number | undefined {
  const node = scalarOf(value, key, 'a duration', report);
  if (!node) return undefined;
  const match = typeof node.value === 'string' ? DURATION.exec(node.text.trim()) : null;
  const ms = Math.round(Number(match?.[1]) * (UNITS[match?.[2] ?? ''] ?? Number.NaN));
  if (match && ms > 0 && ms <= LONGEST_MS) return ms;
  if (match) report('shape.out-of-range', node.at, `"${key}" must be more than zero and at most ten years, not ${node.text}`);
  else
    report(
      'shape.bad-duration',
      node.at,
      `"${key}" is ${describeNode(node)}, which is not a duration`,
      'write a number and a unit: 500ms, 30s, 15m, 3h, 2d',
    );
  return undefined;
}

/** Reads a duration given as text, or in milliseconds under a key that says so. Only one of the two is allowed. */
export function durationEither(text: Entry | undefined, inMs: Entry | undefined, report: Report): number | undefined {
  if (text && inMs) conflict(text, inMs, report);
  if (text) return durationOf(text, report);
  return inMs && integerOf(inMs, 1, LONGEST_MS, report);
}

/** Reports the second of two keys that mean the same or exclude each other; the first is used. */
export function conflict(one: Entry, other: Entry, report: Report): void {
  const [first, second] = one.keyAt.start <= other.keyAt.start ? [one, other] : [other, one];
  report('shape.conflicting-keys', second.keyAt, `"${second.key}" cannot be combined with "${first.key}"`, 'keep one of the two');
}

/** Reads a number over `over` and at most `max`. */
export function numberOf({ key, value }: Entry, over: number, max: number, report: Report): number | undefined {
  if (value.kind !== 'scalar' || typeof value.value !== 'number') return wrongType(value, key, 'a number', report);
  if (value.value > over && value.value <= max) return value.value;
  report('shape.out-of-range', value.at, `"${key}" must be over ${over} and at most ${max}, not ${value.text}`);
  return undefined;
}
