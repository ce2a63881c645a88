import type { Json } from '../text/json';

export const MERGES = ['union', 'intersection', 'weighted'] as const;
export const MOST_WEIGHT = 1000;

/** How branches' lists become one; items are the same where `key` is. */
export interface MergeSpec {
  how: (typeof MERGES)[number];
  key: string;
  /** By branch, over 0. @default 1 each */
  weights?: Record<string, number>;
  /** Over 0 and at most 1. */
  minWeight?: number;
}

/** What comes of branches that are merged (docs/patterns.md, CP-3). */
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
