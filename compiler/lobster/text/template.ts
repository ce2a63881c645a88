import type { Expr, Template } from '../../../plan/expressions/expression';
import { type ArgReference, type StepReference, textPieces, wholeReference } from './references';
import { call, type LobsterResults, literalExpr, valueOfResult } from './results';

/**
 * Turns texts of a Lobster file into templates. Values are written as Lobster writes them: args as JavaScript does, step values as JSON
 * without blanks, missing ones as nothing. A name that nothing has stays as it is, and `unknown` gets it.
 */
export interface TextNames {
  args: ReadonlySet<string>;
  results: LobsterResults;
  unknown(reference: ArgReference | StepReference): void;
}

export function textTemplate(text: string, names: TextNames): Template {
  return joined(textPieces(text).map((piece) => (typeof piece === 'string' ? piece : textOf(piece, names))));
}

/** The template of a `cwd`, which may name only args. */
export function argsTemplate(text: string, names: TextNames): Template {
  return joined(
    textPieces(text).map((piece) => {
      if (typeof piece === 'string') return piece;
      return piece.kind === 'arg' ? textOf(piece, names) : piece.written;
    }),
  );
}

/**
 * A value that may be a single reference: then it keeps its type, and the template is that one expression. Undefined if the reference
 * cannot be resolved.
 */
export function valueTemplate(text: string, names: TextNames): Template | undefined {
  const whole = wholeReference(text);
  if (!whole) return textTemplate(text, names);
  const result = names.results.find(whole.id);
  return result && [valueOfResult(result, whole.path)];
}

function textOf(piece: ArgReference | StepReference, names: TextNames): string | Expr {
  if (piece.kind === 'arg') {
    if (!names.args.has(piece.name)) names.unknown(piece);
    // The caller may give an arg that the file does not declare.
    return call('arg', { kind: 'arg', name: piece.name, path: [] }, literalExpr(piece.written));
  }
  const result = names.results.find(piece.id);
  if (!result) {
    names.unknown(piece);
    return piece.written;
  }
  const value = valueOfResult(result, piece.path);
  const [field, ...within] = piece.path;
  if (within.length === 0 && (field === 'approved' || field === 'skipped')) return call('flagText', value);
  if (value.kind === 'literal' && typeof value.value === 'string') return value.value;
  if (value.kind === 'record' && (value.field === 'stdout' || value.field === 'errorMessage') && within.length === 0) return value;
  if (value.kind === 'call' && value.function === 'lobster.missing') return '';
  if (value.kind === 'call' && (value.function === 'lobster.text' || value.function === 'lobster.stdout')) return value;
  return call('text', value);
}

/** Joins neighbouring texts; an empty text still makes a template. */
function joined(pieces: readonly (string | Expr)[]): Template {
  const found: Template = [];
  for (const piece of pieces) {
    const last = found[found.length - 1];
    if (piece === '') continue;
    if (typeof piece === 'string' && typeof last === 'string') found[found.length - 1] = last + piece;
    else found.push(piece);
  }
  return found.length === 0 ? [''] : found;
}
