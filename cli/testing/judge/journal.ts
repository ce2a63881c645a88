import type { Expectation } from '../../../compiler/test-file/test-file';
import type { JournalEntry } from '../../../plan/run/journal';
import type { Json, JsonObject } from '../../../plan/text/json';
import { differences } from '../difference';
import type { Failing } from './failing';

/** Keys of which a part is enough, because they are prose. */
const PROSE = ['question', 'reason', 'message'];
const SHOWN = 12;

/** Entries that must be there, in order and with others between them, and entries that must not. */
export function judgeJournal(
  { journal, journalLacks }: Pick<Expectation, 'journal' | 'journalLacks'>,
  entries: readonly JournalEntry[],
): Failing[] {
  const had = entries.map((entry) => JSON.parse(JSON.stringify(entry)) as JsonObject);
  const found: Failing[] = [];
  let from = 0;
  for (const [i, expected] of (journal ?? []).entries()) {
    const at = had.findIndex((entry, n) => n >= from && matches(expected, entry));
    if (at >= 0) {
      from = at + 1;
      continue;
    }
    const earlier = had.some((entry) => matches(expected, entry));
    const note = earlier ? { note: 'there is such an entry, but not after the one before it' } : {};
    found.push({ what: `journal[${i}]`, expected, got: alike(expected, had), ...note });
    break;
  }
  for (const [i, unwanted] of (journalLacks ?? []).entries()) {
    const there = had.find((entry) => matches(unwanted, entry));
    if (there) found.push({ what: `journal_lacks[${i}]`, expected: 'no such entry', got: there });
  }
  return found;
}

function matches(expected: JsonObject, entry: JsonObject): boolean {
  return differences(expected, entry, { subset: true, partOf: PROSE }).length === 0;
}

/** The entries of the same kind, to help find the right one. */
function alike(expected: JsonObject, entries: readonly JsonObject[]): Json {
  const same = entries.filter(({ kind }) => expected['kind'] === undefined || kind === expected['kind']);
  return same.slice(0, SHOWN);
}
