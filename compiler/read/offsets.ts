import type { SourceSpan } from '../diagnostics/diagnostic';
import type { ScalarNode } from './node';

/**
 * Maps a character of a scalar's text to its place in the file: quotes are unescaped and lines folded before an expression is parsed, and
 * its mistakes must still be shown where they were written. Works by walking source and text in parallel; if the two do not match, the
 * result is the whole scalar.
 */
export type SpanWithin = (start: number, end: number) => SourceSpan;

export function spansWithin(node: ScalarNode): SpanWithin {
  let offsets: number[] | undefined | null = null;
  return (start, end) => {
    if (offsets === null) offsets = align(node);
    const from = offsets?.[start];
    const last = offsets?.[Math.max(start, end - 1)];
    if (from === undefined) return node.at;
    return { source: node.at.source, start: from, end: last === undefined ? from + 1 : last + 1 };
  };
}

/** The offset in the file of each character of the text, and one more for the end; undefined if they do not match. */
function align(node: ScalarNode): number[] | undefined {
  const raw = node.at.source.text.slice(node.at.start, node.at.end);
  if (raw === node.text) return Array.from({ length: node.text.length + 1 }, (_, i) => node.at.start + i);
  const walked =
    node.style === 'literal' || node.style === 'folded' ? walkBlock(raw, node.text, node.indent) : walkFlow(raw, node.text, node.style);
  return walked?.map((offset) => node.at.start + offset);
}

function walkBlock(raw: string, text: string, indent: number): number[] | undefined {
  const found: number[] = [];
  let at = 0;
  while (at < raw.length && found.length < text.length) {
    for (let i = 0; i < indent && raw[at] === ' '; i++) at++;
    while (at < raw.length && raw[at] !== '\n' && raw[at] !== '\r') {
      if (raw[at] !== text[found.length]) return undefined;
      found.push(at++);
    }
    const next = text[found.length];
    if (next === '\n' || next === ' ') found.push(at);
    if (raw[at] === '\r') at++;
    at++;
  }
  if (found.length < text.length) return undefined;
  found.push(at);
  return found;
}

function walkFlow(raw: string, text: string, style: ScalarNode['style']): number[] | undefined {
  const found: number[] = [];
  let at = 0;
  while (at < raw.length) {
    const fold = /^[ \t]*\r?\n\s*/.exec(raw.slice(at, at + 400));
    if (fold) {
      if (text[found.length] === ' ') found.push(at);
      else while (text[found.length] === '\n') found.push(at);
      at += fold[0].length;
    } else if (style === 'double' && raw[at] === '\\') {
      const escaped = /^\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|\r?\n[ \t]*|.)/s.exec(raw.slice(at, at + 400))?.[0] ?? '\\';
      if (!/^\\\r?\n/.test(escaped)) found.push(at);
      if (escaped.startsWith('\\U') && Number.parseInt(escaped.slice(2), 16) > 0xffff) found.push(at);
      at += escaped.length;
    } else if (style === 'single' && raw.startsWith("''", at)) {
      found.push(at);
      at += 2;
    } else {
      if (raw[at] !== text[found.length]) return undefined;
      found.push(at++);
    }
  }
  if (found.length !== text.length) return undefined;
  found.push(at);
  return found;
}
