import { _, type Ajv, type CodeKeywordDefinition, type Format, type FormatDefinition } from 'ajv';
import reference from 'ajv/dist/vocabularies/core/ref';
import dynamicReference from 'ajv/dist/vocabularies/dynamic/dynamicRef';
import { fullFormats } from 'ajv-formats/dist/formats';
import { RE2JS } from 're2js';
import { readPattern } from '../../plan/text/pattern';
import { fitsSchema, followReference, type TextTest } from './schema-cost';

/**
 * A schema's conditions on texts, matched in time proportional to the text and within the work that a check may do
 * (`schemas/schema-cost.ts`).
 */

/** Takes note of a pattern that is not checked. */
export type Unchecked = (pattern: string, problem: string) => void;

/**
 * The engine for Ajv's expressions. A pattern that cannot be matched in linear time accepts every text: only schemas made elsewhere have
 * one.
 */
export function patternEngine(unchecked: Unchecked) {
  const engine = (pattern: string) => {
    const read = compiled(pattern);
    if (typeof read !== 'string') return read;
    unchecked(pattern, read);
    return { test: () => true, toString: () => `unchecked ${pattern}` };
  };
  // Only code that is written to a file reads it.
  return Object.assign(engine, { code: 'pattern' });
}

/**
 * Why it cannot be matched in linear time, in words. Throws if it is invalid. A match costs at most one instruction step for each
 * character.
 */
function compiled(pattern: string): { test(text: string): boolean; toString(): string } | string {
  const read = readPattern(pattern);
  if (read.kind === 'invalid') throw new Error(`the pattern ${JSON.stringify(pattern)} ${read.problem}`);
  if (read.kind !== 'read') return read.problem;
  try {
    const engine = RE2JS.compile(read.re2);
    const question = { kind: 'pattern', expression: read.re2 } as const;
    const test: TextTest = { question, cost: engine.programSize(), test: (text) => engine.test(text) };
    return { test: (text) => fitsSchema(test, text), toString: () => `pattern ${pattern}` };
  } catch (error) {
    return `cannot be used: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** The cost for each character of a text in one of the formats: their native expressions backtrack little. */
const FORMAT_COST = 20;

/**
 * Ajv's own expression of `url` tries every `@` as the end of what precedes the host, and every `:` before it, which takes quadratic time.
 * No address contains white space, so each `@` is tried only in the time to the next.
 */
const URL_EXPRESSION = String(fullFormats.url)
  .replace(/^\/\^/, '^(?![^]*\\s)')
  .replace(/\/iu$/, '')
  .replace('(?:\\S+(?::\\S*)?@)?', '(?:\\S+@)?');

/** Puts the formats of texts under the same bound as patterns. */
export function boundFormats(ajv: Ajv): void {
  for (const [name, format] of Object.entries(fullFormats)) {
    const test = name === 'url' ? urlTest() : formatTest(name, format);
    if (!test) continue;
    const compare = typeof format === 'object' && 'compare' in format ? { compare: format.compare } : {};
    const bounded = { ...compare, validate: (text: string) => fitsSchema(test, text) };
    ajv.addFormat(name, bounded as FormatDefinition<string>);
  }
}

function urlTest(): TextTest {
  const expression = new RegExp(URL_EXPRESSION, 'iu');
  return { question: { kind: 'native', expression: URL_EXPRESSION }, cost: FORMAT_COST, test: (text) => expression.test(text) };
}

/** Undefined for a name that is no format of texts. */
function formatTest(name: string, format: Format): TextTest | undefined {
  const test = testOf(format);
  return test && { question: { kind: 'format', expression: name }, cost: FORMAT_COST, test };
}

function testOf(format: Format): ((text: string) => boolean) | undefined {
  if (format instanceof RegExp) return (text) => format.test(text);
  if (typeof format === 'function') return (text) => format(text) === true;
  if (typeof format !== 'object' || format.type === 'number' || typeof format.validate !== 'function') return undefined;
  const validate = format.validate as (text: string) => unknown;
  return (text) => validate(text) === true;
}

/** A schema comes back to itself only by a reference, so only these are counted. */
export function countReferences(ajv: Ajv): void {
  for (const definition of [reference, dynamicReference]) {
    const keyword = String(definition.keyword);
    const counted: CodeKeywordDefinition = {
      ...definition,
      code(context, ruleType) {
        const follow = context.gen.scopeValue('func', { ref: followReference });
        context.gen.code(_`${follow}()`);
        definition.code(context, ruleType);
      },
    };
    if (ajv.getKeyword(keyword) !== false) ajv.removeKeyword(keyword).addKeyword(counted);
  }
}
