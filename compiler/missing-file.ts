import { posix } from 'node:path';
import type { Located } from './diagnostics/diagnostic';
import { nearest } from './diagnostics/suggest';
import { besideFile, type Sources } from './sources';

const ENDING = /\.(?:ya?ml|json|lobster|md)$/;

/**
 * A hint for a path that leads to no file: the file that was probably meant, first of all one with the extension that was left out, as its
 * path from `from` is written. The hint also says what paths are relative to.
 */
export function missingFileHint(path: Located<string>, from: string, sources: Sources, rule: string): string {
  const wanted = posix.basename(path.value);
  const names = sources.list(posix.dirname(besideFile(from, path.value))).filter((name) => ENDING.test(name));
  const found = names.find((name) => name.replace(ENDING, '') === wanted) ?? nearest(wanted, names);
  return found === undefined ? rule : `did you mean "${posix.join(posix.dirname(path.value), found)}"? ${rule}`;
}
