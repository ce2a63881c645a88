import type { Quorum } from '../../plan/people/quorum';
import type { MergeSpec } from '../../plan/steps/merged-output';

export interface ParallelSourceOf<S> {
  kind: 'parallel';
  branches: S[];
  wait?: 'any' | 'some' | { quorum: Quorum };
  maxConcurrent?: number;
  merge?: MergeSpec;
}
