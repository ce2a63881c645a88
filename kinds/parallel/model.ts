import type { FrozenQuorum } from '../../plan/people/quorum';
import type { MergeSpec } from '../../plan/steps/merged-output';
import type { StepBase } from '../../plan/steps/step-base';

/** `any`: the first that succeeds is enough. `some`: all are waited for, and those that fail or are late are missing. */
export type ParallelWait = 'any' | 'some' | { quorum: FrozenQuorum };

/** The default time-out with `wait: some`, which takes as many branches as come by then. */
export const DEFAULT_MERGE_MS = 5 * 60_000;

/**
 * Branches in parallel. Each is one step; a branch of several is a `group`. Outputs `{<branch id>: its output}`, or, with `merge`, a
 * `MergedOutput`.
 */
export interface ParallelOf<S> extends StepBase {
  kind: 'parallel';
  branches: S[];
  /** `any`: the first to end; `quorum`: as many of the branches as it says; `some`: as many as come. Absent: all. */
  wait?: ParallelWait;
  maxConcurrent?: number;
  merge?: MergeSpec;
}
