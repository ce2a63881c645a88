/**
 * References within a text of a Lobster file: `${arg}`, and `$id.field.a.0`. Pure: what an id means is not asked here.
 */
export type TextPiece = string | ArgReference | StepReference;

export interface ArgReference {
  kind: 'arg';
  name: string;
  /** The characters themselves, which remain if there is no such arg. */
  written: string;
  start: number;
}

export interface StepReference {
  kind: 'step';
  id: string;
  path: readonly string[];
  written: string;
  start: number;
}

const ID = '[A-Za-z0-9_-]+';
const PATH = '[A-Za-z0-9_]+(?:\\.[A-Za-z0-9_]+)*';
/** `$id.field.a.0`, its id and its path captured. */
export const STEP_REFERENCE = `\\$(${ID})\\.(${PATH})`;
const REFERENCE = new RegExp(`\\$\\{(${ID})\\}|${STEP_REFERENCE}`, 'g');
const WHOLE = new RegExp(`^${STEP_REFERENCE}$`);

export function textPieces(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let at = 0;
  for (const match of text.matchAll(REFERENCE)) {
    if (match.index > at) pieces.push(text.slice(at, match.index));
    const [written, arg, id = '', path = ''] = match;
    if (arg !== undefined) pieces.push({ kind: 'arg', name: arg, written, start: match.index });
    else pieces.push({ kind: 'step', id, path: path.split('.'), written, start: match.index });
    at = match.index + written.length;
  }
  if (at < text.length) pieces.push(text.slice(at));
  return pieces;
}

/** A text that is a single reference to a step, apart from blanks around it: its value keeps its type. */
export function wholeReference(text: string): StepReference | undefined {
  const trimmed = text.trim();
  const match = WHOLE.exec(trimmed);
  if (!match) return undefined;
  const [written, id = '', path = ''] = match;
  return { kind: 'step', id, path: path.split('.'), written, start: text.indexOf(written) };
}
