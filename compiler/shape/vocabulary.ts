import { FILE_ROWS } from '../language/file';
import { kindRow, rowsOf, WRITTEN_KINDS, type WrittenKind } from '../language/kinds';
import { type MappingName, mappingRows } from '../language/mappings';
import { RESERVED_KEYS } from '../language/reserved-keys';
import { spellings } from '../language/row';

/**
 * The keys and words of the strict language, in the form that the readers need. All of it is made from the tables in `language/`: any other
 * word is unknown, and reported with a suggestion.
 */
export type { WrittenKind };

export const FILE_KEYS = FILE_ROWS.map((row) => row.key);

/** Keys of the language that this version does not support yet: answered with `language.unsupported`. */
export const FILE_KEYS_LATER: readonly string[] = RESERVED_KEYS.fileKeys;

export const STEP_KEYS: Readonly<Record<WrittenKind, readonly string[]>> = byKind((kind) => spellings(rowsOf(kind)));
export const ALL_STEP_KEYS: readonly string[] = [...new Set(Object.values(STEP_KEYS).flat())];

/** Values of `type`, with the kind each one means. */
export const STEP_TYPES: ReadonlyMap<string, WrittenKind> = new Map(
  WRITTEN_KINDS.flatMap((kind) => kindRow(kind).types.map((type) => [type, kind] as const)),
);

/** Step keys that stand for a kind of step of a later version. */
export const KIND_KEYS_LATER: readonly string[] = RESERVED_KEYS.kindKeys;

/**
 * The keys that identify a kind if there is no `type`, the most telling first: a parallel step has a `wait` of its own, an agent has an
 * `input`, and several kinds have an `on_reject` or `approvers` without being an approval.
 */
export const TELLING_KEYS: readonly (readonly [string, WrittenKind])[] = WRITTEN_KINDS.toSorted(
  (a, b) => yieldsOf(a) - yieldsOf(b),
).flatMap((kind) => kindRow(kind).plainBy.map((key) => [key, kind] as const));

function yieldsOf(kind: WrittenKind): number {
  return kindRow(kind).yields ?? 0;
}

export const AGENT_KEYS: readonly string[] = keysOf('agent');
export const AGENT_KEYS_LATER: readonly string[] = RESERVED_KEYS.agentKeys;

/** The keys of a mapping within a file or step: `retry`, `budget`, `notify`, …. */
export function keysOf(mapping: MappingName): readonly string[] {
  return spellings(mappingRows(mapping));
}

/** The keys of a kind that are in a mapping of their own. */
export function bodyKeys(kind: WrittenKind): readonly string[] {
  return spellings(kindRow(kind).body ?? []);
}

function byKind<T>(of: (kind: WrittenKind) => T): Record<WrittenKind, T> {
  return Object.fromEntries(WRITTEN_KINDS.map((kind) => [kind, of(kind)])) as Record<WrittenKind, T>;
}
