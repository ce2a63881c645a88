import { CONTROL_KINDS, type ControlKind } from '../plan/run/artifact';

/** How many there are of something, and how much they take. */
export interface Amount {
  count: number;
  bytes: number;
}

/** Outputs and control content by kind and digest. */
export interface ContentName {
  kind: ControlKind | 'output';
  sha256: string;
}

export const CONTENT_KINDS = ['output', ...CONTROL_KINDS] as const;

export const NOTHING: Amount = { count: 0, bytes: 0 };

export function plus(one: Amount, other: Amount): Amount {
  return { count: one.count + other.count, bytes: one.bytes + other.bytes };
}

/**
 * Content that nobody has put for long. Its age is that of the last `put`, which makes it young again to within an hour; all times are by
 * the clock of the store.
 *
 * Invariant: what is put while it is removed is there once both have returned. Requires of the store: that age and removal are one step, or
 * that a removal can be taken back. All fail with `store.unavailable`.
 */
export interface OldContent {
  /** Milliseconds since the epoch, by the clock that ages are measured with. */
  nowMs(): Promise<number>;
  /** What was last put before, in no order, a page at a time. */
  before(beforeMs: number): AsyncIterable<ContentName[]>;
  /** The same of one kind, what was put since. */
  since(kind: ContentName['kind'], sinceMs: number): AsyncIterable<ContentName[]>;
  /** Runs work that removes. Does nothing if the store lets one process remove at a time, and another is at it. */
  during(work: () => Promise<void>): Promise<void>;
  /** Within `during`: removes those that were last put before. With `dryRun` it only counts them. Two at once are harmless. */
  remove(names: readonly ContentName[], beforeMs: number, dryRun: boolean): Promise<Amount>;
  /** All content. */
  amount(): Promise<Amount>;
}

/** Digests of one kind at a time. */
export function byKind(names: readonly ContentName[]): Map<ContentName['kind'], string[]> {
  const kinds = new Map<ContentName['kind'], string[]>();
  for (const { kind, sha256 } of names) kinds.set(kind, [...(kinds.get(kind) ?? []), sha256]);
  return kinds;
}
