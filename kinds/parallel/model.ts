import type { FrozenQuorum } from '../../plan/people/quorum';
import type { StepBase } from '../../plan/steps/step-base';
import type { Json } from '../../plan/text/json';

/** `any`: the first that succeeds is enough. */
export type ParallelWait = 'any' | { quorum: FrozenQuorum };

export const MERGES = ['union', 'intersection', 'weighted'] as const;

/**
 * Branches in parallel. Each is one step; a branch of several is a `group`. Puts out `{<branch id>: its output}`, or, with
 * `merge`, a `MergedOutput`.
 */
export interface ParallelOf<S> extends StepBase {
  kind: 'parallel';
  branches: S[];
  /** `any`: the first to end; `quorum`: so many of the branches. Absent: all. */
  wait?: ParallelWait;
  maxConcurrent?: number;
  /** How the branches' lists become one; items are the same where `key` is. */
  merge?: { how: (typeof MERGES)[number]; key: string };
}

/** What a `parallel` with `merge` outputs (patterns.md, CP-3). */
export interface MergedOutput {
  results: Record<string, Json>;
  merged: Json[];
  /** Items of one key on which branches disagree. */
  conflicts: { key: Json; values: { branch: string; value: Json }[] }[];
  /** Branches that gave no result. */
  missing: string[];
  completed: number;
  total: number;
  timedOut: boolean;
}
