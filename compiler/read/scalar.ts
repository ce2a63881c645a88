import { getScalarValue, SCALAR_STYLE, type ScalarEvent } from 'js-yaml';
import type { Report, SourceSpan, SourceText } from '../diagnostics/diagnostic';
import type { ScalarNode } from './node';

/**
 * Turns a scalar's event into its node: text, JSON value by YAML 1.2's core schema, place. @param lastEnd where the scalar before it ended
 */
export function readScalar(source: SourceText, event: ScalarEvent, lastEnd: number, inList: boolean, report: Report): ScalarNode {
  const style = styleOf(event);
  const text = event.valueStart < 0 ? '' : getScalarValue(source.text, event);
  const at: SourceSpan = { source, ...stretchOf(source.text, event, text, lastEnd, inList) };
  const node: ScalarNode = { kind: 'scalar', at, value: text, text, style, indent: Math.max(0, event.indent) };
  const tag = event.tagStart < 0 ? undefined : source.text.slice(event.tagStart, event.tagEnd);
  if (tag === '!!str' || tag === '!') return node;
  if (tag !== undefined && !CORE_TAGS.has(tag)) {
    const tagAt: SourceSpan = { source, start: event.tagStart, end: event.tagEnd };
    const whole = source.text.slice(event.tagStart, Math.max(event.tagEnd, at.end)).split('\n', 1)[0] ?? tag;
    const hint = style === 'plain' ? `put the value in quotes: ${JSON.stringify(whole.trim())}` : 'leave the tag out';
    report('yaml.tag', tagAt, `YAML reads "${tag}" as a tag`, hint);
    node.faulty = true;
    return node;
  }
  if (style === 'plain') node.value = plainValue(text);
  if (typeof node.value === 'number' && !Number.isFinite(node.value)) {
    report('yaml.bad-number', at, `${text} is not a JSON number`, 'put it in quotes if it is text');
    node.value = null;
    node.faulty = true;
  }
  return node;
}

/** The stretch of a scalar. An absent value is where the last token ended, in a list at its dash; an empty block at its `|`. */
function stretchOf(text: string, event: ScalarEvent, value: string, lastEnd: number, inList: boolean): { start: number; end: number } {
  if (event.valueStart < 0) {
    const dash = inList ? nextSign(text, lastEnd, '-') : undefined;
    return dash === undefined ? { start: lastEnd, end: lastEnd } : { start: dash, end: dash + 1 };
  }
  const isBlock = event.style === SCALAR_STYLE.LITERAL_BLOCK || event.style === SCALAR_STYLE.FOLDED_BLOCK;
  const sign = isBlock && value === '' ? nextSign(text, lastEnd, '|>') : undefined;
  if (sign !== undefined) return { start: sign, end: sign + 1 };
  return { start: event.valueStart, end: event.valueEnd < 0 ? event.valueStart : event.valueEnd };
}

/** The offset of the next of some signs, with only blanks, comments and other signs before it. */
function nextSign(text: string, from: number, signs: string): number | undefined {
  for (let at = from; at < text.length; at++) {
    const char = text[at] ?? '';
    if (signs.includes(char)) return at;
    if (char === '#') at = Math.max(at, text.indexOf('\n', at) < 0 ? text.length : text.indexOf('\n', at));
    else if (!BETWEEN.test(char)) return undefined;
  }
  return undefined;
}

const BETWEEN = /[\s:,\]}"'-]/;
const CORE_TAGS: ReadonlySet<string> = new Set(['!!int', '!!float', '!!bool', '!!null']);
/** First characters of plain text that can only be text: numbers, booleans and null never begin with them. */
const BEGINS_OTHERWISE = /^[^-+.~\dntfNTF]/;
const NULL = /^(?:~|null|Null|NULL|)$/;
const TRUE = /^(?:true|True|TRUE)$/;
const FALSE = /^(?:false|False|FALSE)$/;
const INTEGER = /^[-+]?\d+$/;
const FLOAT = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
const OCTAL_OR_HEX = /^0o[0-7]+$|^0x[0-9a-fA-F]+$/;
const INFINITE = /^[-+]?\.(?:inf|Inf|INF)$/;
const NOT_A_NUMBER = /^\.(?:nan|NaN|NAN)$/;

function plainValue(text: string): ScalarNode['value'] {
  if (BEGINS_OTHERWISE.test(text)) return text;
  if (NULL.test(text)) return null;
  if (TRUE.test(text)) return true;
  if (FALSE.test(text)) return false;
  if (INTEGER.test(text) || FLOAT.test(text)) return Number(text);
  if (OCTAL_OR_HEX.test(text)) return Number(text);
  if (INFINITE.test(text)) return Number.POSITIVE_INFINITY;
  if (NOT_A_NUMBER.test(text)) return Number.NaN;
  return text;
}

function styleOf(event: ScalarEvent): ScalarNode['style'] {
  switch (event.style) {
    case SCALAR_STYLE.SINGLE_QUOTED:
      return 'single';
    case SCALAR_STYLE.DOUBLE_QUOTED:
      return 'double';
    case SCALAR_STYLE.LITERAL_BLOCK:
      return 'literal';
    case SCALAR_STYLE.FOLDED_BLOCK:
      return 'folded';
    default:
      return 'plain';
  }
}
