import { RE2JS } from 're2js';
import { isJsonObject, type Json } from '../../plan/text/json';
import { type PatternProblem, readPattern } from '../../plan/text/pattern';
import type { Report, SourceSpan } from '../diagnostics/diagnostic';
import { type SourceNode, shorten } from '../read/node';
import { spanInSchema } from './schema-places';

/** A regular expression of a schema that cannot be used. */
export interface BadPattern extends PatternProblem {
  pattern: string;
  /** Keys and indices that lead to the pattern; the last is the pattern itself if it names properties. */
  path: readonly (string | number)[];
  isKey: boolean;
}

/** The limit of all patterns of a schema together, in characters. */
const PATTERNS_LIMIT = 20_000;

/** The patterns that are no regular expressions, and those that cannot be matched in time proportional to the text. */
export function badPatterns(schema: Json): BadPattern[] {
  let characters = 0;
  const found: BadPattern[] = [];
  for (const one of patternsOf(schema)) {
    characters += one.pattern.length;
    const problem = characters > PATTERNS_LIMIT ? tooLong(one.pattern) : problemOf(one.pattern);
    if (problem) found.push({ ...one, ...problem });
    if (characters > PATTERNS_LIMIT) break;
  }
  return found;
}

function describePattern({ pattern, problem }: BadPattern): string {
  return `the pattern ${JSON.stringify(shorten(pattern))} ${problem}`;
}

/** Reports each pattern at its place. @param root the schema as it was read; without it, all are reported at `otherwise` */
export function reportPatterns(bad: readonly BadPattern[], root: SourceNode | undefined, otherwise: SourceSpan, report: Report): void {
  for (const one of bad) {
    const code = one.kind === 'invalid' ? 'schema.invalid' : 'schema.pattern';
    report(code, (root && spotOf(root, one)) ?? otherwise, describePattern(one), HINTS[one.kind]);
  }
}

const HINTS = {
  invalid: 'write it as JavaScript does with the flag `u`; a literal character needs a backslash only if it is one of ^$\\.*+?()[]{}|/',
  unsupported: 'write it without look-around, back references and large counts, or check that part in a step of its own',
} as const;

function tooLong(pattern: string): PatternProblem {
  const problem = `is one too many: patterns of a schema have at most ${PATTERNS_LIMIT} characters in all`;
  return { kind: 'unsupported', problem, start: 0, end: pattern.length };
}

function problemOf(pattern: string): PatternProblem | undefined {
  const read = readPattern(pattern);
  if (read.kind !== 'read') return read;
  // Loaded at the first pattern: a pipeline without any does not pay for it.
  try {
    RE2JS.compile(read.re2);
    return undefined;
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    const problem = `cannot be used: ${said.replace(/^error parsing regexp: /, '').slice(0, 100)}`;
    return { kind: 'unsupported', problem, start: 0, end: pattern.length };
  }
}

/** Keywords whose values are data and no schemas, and those whose values are schemas by a name of any kind. */
const DATA: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples']);
const NAMED: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies']);

interface Place {
  value: Json;
  path: readonly (string | number)[];
  /** Its keys are names, not keywords. */
  names: boolean;
}

function* patternsOf(schema: Json): Generator<Pick<BadPattern, 'pattern' | 'path' | 'isKey'>> {
  const queue: Place[] = [{ value: schema, path: [], names: false }];
  for (let here = queue.pop(); here; here = queue.pop()) {
    const { value, path, names } = here;
    if (Array.isArray(value)) for (const [i, item] of value.entries()) queue.push({ value: item, path: [...path, i], names: false });
    if (!isJsonObject(value)) continue;
    for (const [key, inner] of Object.entries(value)) {
      const to = [...path, key];
      if (!names && key === 'pattern' && typeof inner === 'string') yield { pattern: inner, path: to, isKey: false };
      if (!names && key === 'patternProperties' && isJsonObject(inner))
        for (const pattern of Object.keys(inner)) yield { pattern, path: [...to, pattern], isKey: true };
      if (names || !DATA.has(key)) queue.push({ value: inner, path: to, names: !names && NAMED.has(key) });
    }
  }
}

/** The place of a pattern: the faulty part, if the text shows it literally. */
function spotOf(root: SourceNode, { path, isKey, pattern, start, end }: BadPattern): SourceSpan | undefined {
  const at = spanInSchema(root, path, isKey);
  if (!at) return undefined;
  const shown = at.source.text.slice(at.start, at.end).indexOf(pattern);
  return shown === -1 ? at : { ...at, start: at.start + shown + start, end: at.start + shown + end };
}
