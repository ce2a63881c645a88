import type { FrozenQuorum } from '../../plan/people/quorum';
import type { StepBase } from '../../plan/steps/step-base';
import type { Json } from '../../plan/text/json';

/** `any`: the first that succeeds is enough. `some`: all are waited for, and those that fail or are late are missing. */
export type ParallelWait = 'any' | 'some' | { quorum: FrozenQuorum };

export const MERGES = ['union', 'intersection', 'weighted'] as const;
export const MOST_WEIGHT = 1000;
/** Of what is merged from as many branches as come. */
export const DEFAULT_MERGE_MS = 5 * 60_000;

/** How branches' lists become one; items are the same where `key` is. */
export interface MergeSpec {
  how: (typeof MERGES)[number];
  key: string;
  /** By branch, over 0. @default 1 each */
  weights?: Record<string, number>;
  /** Over 0 and at most 1. */
  minWeight?: number;
}

/**
 * Branches in parallel. Each is one step; a branch of several is a `group`. Puts out `{<branch id>: its output}`, or, with
 * `merge`, a `MergedOutput`.
 */
export interface ParallelOf<S> extends StepBase {
  kind: 'parallel';
  branches: S[];
  /** `any`: the first to end; `quorum`: so many of the branches; `some`: as many as come. Absent: all. */
  wait?: ParallelWait;
  maxConcurrent?: number;
  merge?: MergeSpec;
}

/** What a `parallel` with `merge` outputs (patterns.md, CP-3). */
export interface MergedOutput {
  results: Record<string, Json>;
  merged: Json[];
  /** Items of one key on which branches disagree. */
  conflicts: { key: Json; values: { branch: string; value: Json }[] }[];
  /** Nothing is in conflict. */
  consensus: boolean;
  /** Branches that gave no result. */
  missing: string[];
  completed: number;
  total: number;
  timedOut: boolean;
}
