import type { Path } from '../expressions/expression';
import type { ArtifactRef, Sha256 } from '../run/artifact';
import type { Json } from '../text/json';
import { type Address, formatPath } from './address';

/**
 * Items that a step emits while it works, and that a loop takes at once (`for_each: {stream: STEP}`; docs/patterns.md, CP-11).
 *
 * Invariants: 1. an item is in the producer's log before anybody gets it; 2. its place in the log is its index, and the first of several
 * with one key counts: so a producer that repeats everything, after a crash or in another try, loses and repeats nothing; 3. the number of
 * waiting items is bounded: the producer is held back, and continues when half of them have been taken. It is not held back only while an
 * execution closes: a command has to end for that.
 */
export interface EmitSpec {
  /** The name of the schema that each item must satisfy. */
  name: string;
  schema: Sha256;
  maxItems: number;
  maxWaiting: number;
  /** Two items with the same value at this path are one. Absent: two with the same content. */
  key?: Path;
  /** Where an item names the keys of those that have to be done before it, and the files that it works on. */
  depends?: Path;
  files?: Path;
}

/** What a loop does with each item of a stream. */
export interface ItemPolicy {
  /** The limit of one item, including repetitions. */
  timeoutMs: number;
  /** How often its steps begin again when one of them has failed. */
  fixes: number;
  onFailed: (typeof ON_ITEM_FAILED)[number];
  /** When every remaining item depends on one that will not be done. */
  onAllBlocked: (typeof ON_ALL_BLOCKED)[number];
}

export const ON_ITEM_FAILED = ['continue', 'stop'] as const;
export const ON_ALL_BLOCKED = ['linear', 'skip', 'stop'] as const;
export const DEFAULT_ITEM_POLICY: ItemPolicy = { timeoutMs: 15 * 60_000, fixes: 2, onFailed: 'continue', onAllBlocked: 'linear' };

export const DEFAULT_MAX_ITEMS = 1000;
export const DEFAULT_MAX_WAITING = 20;
/** The time-out of a producer, if neither it nor its agent has one. */
export const PRODUCER_TIMEOUT_MS = 10 * 60_000;
export const MOST_ITEM_BYTES = 256 * 1024;
/** A line of standard output that begins so is an item, as JSON. */
export const ITEM_MARK = '::item::';

/** Name of the log of a producer's items in one of its rounds: all of its tries write there. */
export function streamName({ path, round }: Pick<Address, 'path' | 'round'>): string {
  return `${formatPath(path)}#${round}/items`;
}

/** Whether so few items wait that a held-back producer continues. */
export function hasRoomAgain({ maxWaiting }: Pick<EmitSpec, 'maxWaiting'>, waiting: number): boolean {
  return waiting <= Math.floor(maxWaiting / 2);
}

/**
 * How many taken items the producer may learn of. One that is held back learns nothing until half of `maxWaiting` is free again: otherwise
 * it would continue with room for an item or two, and wake the run for these. `recorded`: how many items its log has.
 */
export function takenToNote({ taken, unbounded, bound }: Pick<EmittedInput, 'taken' | 'unbounded' | 'bound'>, recorded: number): number {
  if (!bound || unbounded) return taken;
  const isHeldBack = recorded - bound.noted >= bound.maxWaiting;
  return isHeldBack && !hasRoomAgain(bound, recorded - taken) ? bound.noted : taken;
}

/** An item as recorded. */
export interface RecordedItem {
  /** One id for one act of emitting, however often it is done. */
  id: string;
  /** The address of the call that emitted it, or who did from outside. */
  from: { call: string } | { by: string };
  item: ArtifactRef;
  key: Json;
  depends?: Json[];
  files?: string[];
}

/** Input of a local activity. */
export interface EmittedInput {
  run: string;
  stream: string;
  /** How many items are known, and how many lines of their log. */
  after: number;
  lines: number;
  /** How many items no longer wait: a held-back producer reads it (`takenToNote`). */
  taken: number;
  /** What was noted before. Absent: nothing may hold the producer back, and `taken` is noted unchanged. */
  bound?: { maxWaiting: number; noted: number };
  /** The execution closes once its producer has ended: as many may wait as it emits. */
  unbounded?: true;
  /** The paths of an item that control reads. */
  paths?: Path[];
  /** The loop over the items, which names them. */
  loop?: string;
  /** The producer, this step, has ended: its items become a list. */
  close?: { step: string };
  /** The list of an earlier run, which is complete. */
  carried?: ArtifactRef;
}

export interface EmittedOutput {
  items: EmittedItem[];
  /** Items that were emitted again on purpose. */
  again: { key: Json; by?: string }[];
  lines: number;
  /** The noted number. Absent if the stream has been carried. */
  taken?: number;
  /** There are more than one answer can hold. */
  more?: true;
  list?: ArtifactRef;
}

export interface EmittedItem {
  item: ArtifactRef;
  key: Json;
  depends?: Json[];
  files?: string[];
  values?: Record<string, Json>;
  /** The item's name. */
  name?: string;
}

/** An item that somebody sends to a run. */
export interface SentItem {
  stream: string;
  /** Id of the producer. */
  step: string;
  item: Json;
  by: string;
}

export interface EmitItemsInput {
  run: string;
  items: readonly SentItem[];
}

/** Nothing: the item is recorded. */
export interface EmitItemOutput {
  problem?: string;
  /** There was already an item with its key. */
  again?: true;
}
