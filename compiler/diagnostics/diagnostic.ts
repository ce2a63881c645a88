import type { DiagnosticCode } from './codes';
import { cutHint, cutMessage } from './cut';
import { severityOf } from './severity';

/** One mistake, as data: `--json` prints it as it is. Lines and columns count from 1, offsets from 0, in UTF-16 units. */
export interface Diagnostic {
  code: DiagnosticCode;
  severity: 'error' | 'warning';
  file: string;
  line: number;
  column: number;
  /** Exclusive, on the same line. */
  endColumn: number;
  startOffset: number;
  endOffset: number;
  message: string;
  /** What to do about it. */
  hint?: string;
  /** Where the file was named, if another file names it, and so on up to the pipeline itself. */
  includedFrom?: SourceLocation[];
  /** The line in the file, if it is short enough to be shown. */
  sourceLine?: string;
}

/** Lines and columns count from 1. */
export interface SourceLocation {
  file: string;
  line: number;
  column: number;
}

/** A text with its name. Places in it are offsets until a diagnostic is made of them. */
export interface SourceText {
  file: string;
  text: string;
  /** Offset of each line's first character. */
  lineStarts: readonly number[];
  /** Where another file names this one; absent for the file that was given. */
  includedAt?: SourceSpan;
}

export function sourceText(file: string, text: string, includedAt?: SourceSpan): SourceText {
  const lineStarts = [text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lineStarts.push(at + 1);
  return includedAt ? { file, text, lineStarts, includedAt } : { file, text, lineStarts };
}

/** The place of a whole file: its first character. */
export function topOf(source: SourceText): SourceSpan {
  const start = source.lineStarts[0] ?? 0;
  return { source, start, end: start };
}

/** A stretch of a source, end-exclusive. */
export interface SourceSpan {
  source: SourceText;
  start: number;
  end: number;
}

/** Something read from a source, with its place. */
export interface Located<T> {
  value: T;
  at: SourceSpan;
}

/** What to do about a mistake; a function if finding the answer means looking through all steps of a file. */
export type Hint = string | (() => string | undefined);

/** Records a mistake; the pass continues. */
export type Report = (code: DiagnosticCode, at: SourceSpan, message: string, hint?: Hint) => void;

const SHOWN_LINE_LIMIT = 2000;
/** Where the chain of including files is cut: agents may name each other in a circle, which is reported. */
const CHAIN_LIMIT = 20;
const BYTE_ORDER_MARK = 0xfeff;

export function diagnosticAt(code: DiagnosticCode, at: SourceSpan, message: string, hint?: Hint): Diagnostic {
  const { text, file, lineStarts } = at.source;
  const start = Math.min(Math.max(lineStarts[0] ?? 0, at.start), text.length);
  const end = Math.min(Math.max(start, at.end), text.length);
  const line = lineOf(lineStarts, start);
  const lineStart = lineStarts[line] ?? 0;
  const lineEnd = endOfLine(text, lineStart, lineStarts[line + 1]);
  const column = start - lineStart + 1;
  const found: Diagnostic = {
    code,
    severity: severityOf(code),
    file,
    line: line + 1,
    column,
    endColumn: Math.max(column + 1, Math.min(end, lineEnd) - lineStart + 1),
    startOffset: start,
    endOffset: end,
    message: cutMessage(message),
  };
  const advice = typeof hint === 'function' ? hint() : hint;
  if (advice !== undefined) found.hint = cutHint(advice);
  if (at.source.includedAt) found.includedFrom = inclusions(at.source.includedAt);
  if (lineEnd - lineStart <= SHOWN_LINE_LIMIT) found.sourceLine = text.slice(lineStart, lineEnd);
  return found;
}

/** The line and column at which a span begins, counted from 1. */
export function locationOf({ source, start }: SourceSpan): SourceLocation {
  const line = lineOf(source.lineStarts, start);
  return { file: source.file, line: line + 1, column: start - (source.lineStarts[line] ?? 0) + 1 };
}

/** The chain of files that lead to a place, innermost first. */
function inclusions(first: SourceSpan): SourceLocation[] {
  const chain: SourceLocation[] = [];
  for (let at: SourceSpan | undefined = first; at && chain.length < CHAIN_LIMIT; at = at.source.includedAt) {
    chain.push(locationOf(at));
  }
  return chain;
}

/** Diagnostics in the order people read them: the pipeline's own file first, then the others by name; each from top to bottom. */
export function inSourceOrder(diagnostics: readonly Diagnostic[], first: string): Diagnostic[] {
  const rank = (d: Diagnostic): number => (d.file === first ? 0 : 1);
  const byFile = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  return [...diagnostics].sort((a, b) => rank(a) - rank(b) || byFile(a.file, b.file) || a.startOffset - b.startOffset);
}

/** Reports as `report` does, and knows whether one of these was an error. */
export function watched(report: Report): { report: Report; isClean(): boolean } {
  let clean = true;
  return {
    report(...mistake) {
      if (severityOf(mistake[0]) === 'error') clean = false;
      report(...mistake);
    },
    isClean: () => clean,
  };
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((d) => d.severity === 'error');
}

/** Index of the last line that starts at or before `offset`. */
function lineOf(lineStarts: readonly number[], offset: number): number {
  let low = 0;
  let high = lineStarts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((lineStarts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** @param next where the next line starts, so that a long line is not read again for each of its mistakes */
function endOfLine(text: string, from: number, next: number | undefined): number {
  const end = next === undefined ? text.length : next - 1;
  return end > from && text[end - 1] === '\r' ? end - 1 : end;
}
