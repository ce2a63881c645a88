import type { Report, SourceSpan } from '../diagnostics/diagnostic';
import type { Sources } from '../sources';

export const SKILL_FILE = 'SKILL.md';

const FILES_LIMIT = 100;
const TOTAL_LIMIT_BYTES = 1024 * 1024;
const DEPTH_LIMIT = 5;
/** How many entries are looked at: a folder that links to itself ends here. */
const ENTRIES_LIMIT = 1000;

/**
 * Every text in a skill's folder, by its path within it. Names that begin with a dot are left out. Invariants: 1. no more than
 * `FILES_LIMIT` files and `TOTAL_LIMIT_BYTES`; 2. everything else that is left out is reported.
 */
export function filesOfSkill(folder: string, at: SourceSpan, sources: Sources, report: Report): Map<string, string> | undefined {
  const found = new Map<string, string>();
  let bytes = 0;
  let entries = 0;
  const tooMuch = () => found.size > FILES_LIMIT || bytes > TOTAL_LIMIT_BYTES || entries > ENTRIES_LIMIT;
  const leftOut = (path: string, why: string): void =>
    report('skill.left-out', at, `the file "${path}" of this skill is skipped: ${why}`, 'agents can read only text files of this folder');
  const walk = (within: string, depth: number): void => {
    for (const name of sources.list(within === '' ? folder : `${folder}/${within}`)) {
      if (++entries > ENTRIES_LIMIT || tooMuch()) return;
      if (name.startsWith('.')) continue;
      const path = within === '' ? name : `${within}/${name}`;
      const text = sources.read(`${folder}/${path}`);
      if (text === undefined) {
        if (sources.isFolder?.(`${folder}/${path}`) !== true) leftOut(path, 'it is outside the pipeline’s folder, or larger than 1 MiB');
        else if (depth === DEPTH_LIMIT) leftOut(path, `it is more than ${DEPTH_LIMIT} folders deep`);
        else walk(path, depth + 1);
      } else if (NO_TEXT.test(text)) leftOut(path, 'it is not text');
      else {
        found.set(path, text);
        bytes += Buffer.byteLength(text);
      }
    }
  };
  walk('', 1);
  if (!tooMuch()) return found;
  const message = `this skill has more than ${FILES_LIMIT} files or ${TOTAL_LIMIT_BYTES} bytes`;
  report('skill.too-large', at, message, 'split it, or remove what no agent reads');
  return undefined;
}

/** Matches what is not text. Bytes that are not UTF-8 are read as replacement characters. */
const NO_TEXT = /[\0\uFFFD]/;
