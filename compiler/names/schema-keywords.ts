import { isJsonObject, type Json, type JsonObject } from '../../plan/text/json';
import { unreachable } from '../../plan/unreachable';
import type { DiagnosticCode } from '../diagnostics/codes';
import type { Report, SourceSpan } from '../diagnostics/diagnostic';
import { didYouMean, listWords, nearest } from '../diagnostics/suggest';
import { foreignRow } from '../language/foreign-word-hint';
import { type SourceNode, shorten } from '../read/node';
import { spanInSchema } from './schema-places';

/**
 * What is wrong with the keywords of a schema: a misspelt one, which JSON Schema would ignore silently, or one with a value of the wrong
 * type. Data (`enum`, `const`, `default`, `examples`) is not checked.
 */
export interface KeywordProblem {
  code: Extract<DiagnosticCode, 'schema.invalid' | 'schema.bad-keyword'>;
  /** Keys and indices that lead to the value, or to a misspelt keyword. */
  path: readonly (string | number)[];
  message: string;
  hint?: string;
}

type Takes =
  | 'schema'
  | 'schemas'
  | 'schema or schemas'
  | 'named schemas'
  | 'type'
  | 'text'
  | 'number'
  | 'count'
  | 'boolean'
  | 'names'
  | 'list'
  | 'any';

const KEYWORDS: Readonly<Record<string, Takes>> = {
  ...ofAll(
    'schema',
    'additionalItems unevaluatedItems contains additionalProperties unevaluatedProperties propertyNames not if then else contentSchema',
  ),
  ...ofAll('schemas', 'allOf anyOf oneOf prefixItems'),
  ...ofAll('named schemas', 'properties patternProperties definitions $defs dependentSchemas'),
  ...ofAll(
    'text',
    '$id $schema $ref $anchor $dynamicRef $dynamicAnchor $comment title description pattern format contentEncoding contentMediaType',
  ),
  ...ofAll('number', 'multipleOf maximum exclusiveMaximum minimum exclusiveMinimum'),
  ...ofAll('count', 'maxLength minLength maxItems minItems maxProperties minProperties maxContains minContains'),
  ...ofAll('boolean', 'uniqueItems readOnly writeOnly deprecated'),
  ...ofAll('any', 'const default examples dependencies dependentRequired $vocabulary'),
  items: 'schema or schemas',
  required: 'names',
  enum: 'list',
  type: 'type',
};

/** Keywords of OpenAPI, editors and older drafts: not keywords here, but written on purpose. */
const ANNOTATIONS: ReadonlySet<string> = new Set(
  'id example note notes name names order label nullable discriminator xml externalDocs enumNames enumDescriptions errorMessage errorMessages'.split(
    ' ',
  ),
);

const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'] as const;

function ofAll(takes: Takes, words: string): Record<string, Takes> {
  return Object.fromEntries(words.split(' ').map((word) => [word, takes]));
}

/** Reports each problem at its place. @param root the schema as it was read; without it, all are reported at `otherwise` */
export function reportKeywords(
  problems: readonly KeywordProblem[],
  root: SourceNode | undefined,
  otherwise: SourceSpan,
  report: Report,
): void {
  for (const { code, path, message, hint } of problems)
    report(code, (root && spanInSchema(root, path, code === 'schema.bad-keyword')) ?? otherwise, message, hint);
}

type Path = KeywordProblem['path'];

/** @param schema within the limits of depth */
export function keywordProblems(schema: JsonObject): KeywordProblem[] {
  const found: KeywordProblem[] = [];
  walk(schema, [], found);
  return found;
}

function walk(schema: JsonObject, path: Path, found: KeywordProblem[]): void {
  for (const [key, value] of Object.entries(schema)) {
    const at = [...path, key];
    const takes = Object.hasOwn(KEYWORDS, key) ? KEYWORDS[key] : undefined;
    if (takes === undefined) {
      const meant = misspelt(key);
      const message = `"${key}" is not a keyword of JSON Schema`;
      const hint = `did you mean "${meant}"? A name of your own begins with "x-"`;
      if (meant !== undefined) found.push({ code: 'schema.bad-keyword', path: at, message, hint });
      continue;
    }
    const problem = problemOf(key, takes, value);
    if (problem) found.push({ code: 'schema.invalid', path: at, ...problem });
    else for (const [inner, to] of schemasIn(takes, value, at)) walkInto(inner, to, found);
  }
}

function walkInto(value: Json, path: Path, found: KeywordProblem[]): void {
  if (isJsonObject(value)) walk(value, path, found);
  else if (typeof value !== 'boolean') {
    const message = `a schema must be a mapping, true or false, not ${describe(value)}`;
    found.push({
      code: 'schema.invalid',
      path,
      message,
      hint: typeof value === 'string' ? `write { type: ${typeWord(value)} }` : 'write a schema',
    });
  }
}

function typeWord(text: string): string {
  return nearest(text, TYPES) ?? 'string';
}

/** The keyword that is meant. Keywords are long, so a misspelling is one letter, or two in a long word. */
function misspelt(key: string): string | undefined {
  if (key.length < 4 || /^(?:x-|\$)/.test(key) || ANNOTATIONS.has(key)) return undefined;
  const meant = nearest(
    key,
    Object.keys(KEYWORDS).filter((known) => known.length > 3),
  );
  if (meant === undefined) return undefined;
  return key.length > 6 || Math.abs(meant.length - key.length) <= 1 ? meant : undefined;
}

function schemasIn(takes: Takes, value: Json, path: Path): [Json, Path][] {
  if (takes === 'schema' || (takes === 'schema or schemas' && !Array.isArray(value))) return [[value, path]];
  if ((takes === 'schemas' || takes === 'schema or schemas') && Array.isArray(value)) return value.map((one, i) => [one, [...path, i]]);
  if (takes === 'named schemas' && isJsonObject(value)) return Object.entries(value).map(([name, one]) => [one, [...path, name]]);
  return [];
}

function problemOf(key: string, takes: Takes, value: Json): { message: string; hint?: string } | undefined {
  const must = (expected: string, hint?: string) => {
    const message = `"${key}" must be ${expected}, not ${describe(value)}`;
    return hint === undefined ? { message } : { message, hint };
  };
  switch (takes) {
    case 'schema':
    case 'any':
      return undefined;
    case 'schema or schemas':
      return isJsonObject(value) || Array.isArray(value) || typeof value === 'boolean'
        ? undefined
        : must('a schema', 'write { type: string }');
    case 'schemas':
      return Array.isArray(value) && value.length > 0 ? undefined : must('a list of schemas');
    case 'named schemas':
      return isJsonObject(value) ? undefined : must('a mapping of names to schemas');
    case 'text':
      return typeof value === 'string' ? undefined : must('text', 'put it in quotes');
    case 'number':
      return typeof value === 'number' ? undefined : must('a number', typeof value === 'string' ? 'remove the quotes' : undefined);
    case 'count':
      return Number.isInteger(value) && Number(value) >= 0
        ? undefined
        : must('a whole number from 0', typeof value === 'string' ? 'remove the quotes' : undefined);
    case 'boolean':
      return typeof value === 'boolean' ? undefined : must('true or false');
    case 'list':
      return Array.isArray(value) && value.length > 0 ? undefined : must('a list of values');
    case 'names':
      if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return undefined;
      return must('a list of names', 'put it on the object: required: [title]');
    case 'type':
      return problemOfType(value);
    default:
      return unreachable(takes);
  }
}

function problemOfType(value: Json): { message: string; hint?: string } | undefined {
  const words = Array.isArray(value) ? value : [value];
  const odd = words.find((word) => !TYPES.some((known) => known === word));
  if (words.length > 0 && odd === undefined) return undefined;
  if (typeof odd !== 'string') return { message: `"type" must be a type or a list of types, not ${describe(odd ?? value)}` };
  const ours = /^type: (\w+)$/.exec(foreignRow('type of an arg', odd)?.[2] ?? '')?.[1];
  const hint = ours === undefined ? didYouMean(odd, TYPES, `known: ${listWords(TYPES)}`) : `write "${ours}"`;
  return hint === undefined ? { message: `"type" is "${odd}"` } : { message: `"type" is "${odd}"`, hint };
}

function describe(value: Json): string {
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'object') return 'a mapping';
  return typeof value === 'string' ? `the text ${JSON.stringify(shorten(value))}` : `${value}`;
}
