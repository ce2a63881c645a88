/** What a text names: how specific a diagnosis is (docs/patterns.md, CP-7). Only the working folder knows whether a path exists. */

/** How many paths of a text are looked for. */
const MOST_PATHS = 100;
const MOST_PATH_LENGTH = 300;

/** Relative paths that a text may name, each once, in its order: words with a slash, or with an ending such as `.ts`. */
export function pathsIn(text: string): string[] {
  return distinct(wordsOf(text).flatMap((word) => pathOf(word) ?? [])).slice(0, MOST_PATHS);
}

/** Names of code in a text, apart from some paths, each once: `parseLine`, `max_items`, `retry()`. */
export function identifiersIn(text: string, paths: readonly string[]): string[] {
  const known = new Set(paths);
  const beside = wordsOf(text).filter((word) => !known.has(pathOf(word) ?? ''));
  const called = [...text.matchAll(/\b([A-Za-z_$][A-Za-z0-9_$]{0,99})\(\)/g)].flatMap(([, name]) => name ?? []);
  const named = beside.flatMap((word) => word.split(/[^A-Za-z0-9_$]+/)).filter((word) => IDENTIFIER.test(word));
  return distinct([...named, ...called]);
}

/** Anything else separates words, such as the colon before a number of a line. */
const NO_WORD = /[^A-Za-z0-9_$@+./-]+/;
/** An inner capital, or an underscore between two characters. */
const IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9$]*(?:[a-z0-9][A-Z]|_[A-Za-z0-9])[A-Za-z0-9_$]*$/;

function wordsOf(text: string): string[] {
  return text.split(NO_WORD);
}

/** A path without surrounding punctuation; undefined if the word is no path, or leads out of the folder. */
function pathOf(word: string): string | undefined {
  const segments = word.split('/').filter((segment) => segment !== '.');
  const path = withoutEnd(segments.join('/'));
  if (path === '' || path.length > MOST_PATH_LENGTH || path.startsWith('/') || path.startsWith('-')) return undefined;
  if (segments.includes('..')) return undefined;
  return path.includes('/') || /[A-Za-z0-9_-]\.[A-Za-z][A-Za-z0-9]*$/.test(path) ? path : undefined;
}

/** A dot or a slash at the end is the sentence's. */
function withoutEnd(path: string): string {
  let end = path.length;
  while (end > 0 && './'.includes(path.charAt(end - 1))) end -= 1;
  return path.slice(0, end);
}

function distinct(words: readonly string[]): string[] {
  return [...new Set(words)];
}
