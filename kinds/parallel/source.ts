import type { Quorum } from '../../plan/people/quorum';
import type { MERGES } from './model';

export interface ParallelSourceOf<S> {
  kind: 'parallel';
  branches: S[];
  wait?: 'any' | { quorum: Quorum };
  maxConcurrent?: number;
  merge?: { how: (typeof MERGES)[number]; key: string };
}
