import type { Report, SourceText } from '../diagnostics/diagnostic';

/**
 * Where a YAML text begins a second document: at its `---`, or at the content after a `...`. Undefined if it is a single document. Pure,
 * and works on text that is not valid YAML too: a line of three dashes or dots at the margin means nothing else.
 *
 * @returns offsets in the text; end-exclusive
 */
export function secondDocument(text: string): { start: number; end: number } | undefined {
  let state: 'before' | 'within' | 'ended' = 'before';
  for (const { 0: line, index } of text.matchAll(LINE)) {
    const start = index + (index === 0 && line.startsWith('\uFEFF') ? 1 : 0);
    const written = line.slice(start - index);
    const mark = MARK.exec(written)?.[0];
    if (mark === '---') {
      if (state !== 'before') return { start, end: start + 3 };
      state = 'within';
    } else if (mark === '...') {
      if (state === 'within') state = 'ended';
    } else if (state !== 'within' && !NOTHING.test(written)) {
      if (state === 'ended') return { start, end: start + written.trimEnd().length };
      state = 'within';
    }
  }
  return undefined;
}

export const SEVERAL_DOCUMENTS = 'the file contains several YAML documents: the second begins here';

export function severalDocuments(source: SourceText, at: { start: number; end: number }, report: Report): void {
  report('yaml.several-documents', { source, ...at }, SEVERAL_DOCUMENTS, 'put each into a file of its own');
}

const LINE = /[^\r\n]+/g;
const MARK = /^(?:---|\.\.\.)(?=[ \t]|$)/;
/** Lines without content: blanks, a comment, a directive. */
const NOTHING = /^(?:%.*|[ \t]*(?:#.*)?)$/;
