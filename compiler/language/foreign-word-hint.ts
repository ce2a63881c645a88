import type { ForeignRow } from './foreign-row';
import { FOREIGN_WORDS, type ForeignPlace } from './foreign-words';

/** What to write instead of another system's word; undefined for a word that is in none of the tables for that place. */
export function foreignWordHint(place: ForeignPlace, word: string): string | undefined {
  const row = foreignRow(place, word);
  return row && hintOfRow(row);
}

export function foreignRow(place: ForeignPlace, word: string): ForeignRow | undefined {
  known ??= new Map(Object.entries(FOREIGN_WORDS).map(([where, rows]) => [where, byWord(rows)]));
  return known.get(place)?.get(word.toLowerCase());
}

/** Built when the first unknown word is found: most files have none. */
let known: Map<string, Map<string, ForeignRow>> | undefined;

function byWord(rows: readonly ForeignRow[]): Map<string, ForeignRow> {
  return new Map(rows.flatMap((row) => row[0].split(' ').map((word) => [word.toLowerCase(), row] as const)));
}

export function hintOfRow([, , write, note]: ForeignRow): string {
  if (write === undefined) return note ?? '';
  return note === undefined ? `write \`${write}\`` : `write \`${write}\`: ${note}`;
}
