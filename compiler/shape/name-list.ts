import type { Located, Report } from '../diagnostics/diagnostic';
import type { Entry } from '../read/node';
import { spansWithin } from '../read/offsets';
import { textOf, textsOf } from './values';

/** Reads a list of names, or names with commas between them in one text, as files of coding agents have them. */
export function listedNames(entry: Entry, report: Report): Located<string>[] | undefined {
  if (entry.value.kind !== 'scalar') return textsOf(entry, report, 'a list of names');
  const text = textOf(entry, report);
  if (!text) return undefined;
  const spot = spansWithin(entry.value);
  return [...text.value.matchAll(BETWEEN_COMMAS)].flatMap((match) => {
    const value = match[0].trim();
    if (value === '') return [];
    const start = match.index + match[0].length - match[0].trimStart().length;
    return [{ value, at: spot(start, start + value.length) }];
  });
}

/** Parentheses belong to one name, commas and all: `Bash(git add:*, git commit:*)`. */
const BETWEEN_COMMAS = /(?:\([^)]*\)|[^,])+/g;
