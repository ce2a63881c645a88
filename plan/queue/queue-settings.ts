import { REPORT_FORMATS } from '../run/test-report';

/** How a candidate is brought into the target: as `git merge --no-ff`, `git rebase` and `git merge --squash` do. */
export const MERGE_STRATEGIES = ['merge', 'rebase', 'squash'] as const;
export type MergeStrategy = (typeof MERGE_STRATEGIES)[number];

/** The formats in which a test command prints its results, on standard output (`activities/queue/count-tests.ts`). */
export const TEST_FORMATS = [...REPORT_FORMATS, 'line'] as const;
export type TestFormat = (typeof TEST_FORMATS)[number];

/** The rules of one merge queue, with their defaults filled in. */
export interface QueueSettings {
  /** A shell command that is run in the merged tree. Absent: only the commands that candidates bring are run. */
  test?: string;
  /** Shell commands that prepare the merged tree, before those of the candidates' worktrees. */
  setup: readonly string[];
  /** Files outside git that the merged tree gets from the checkout, by their paths in it, next to those of the candidates' worktrees. */
  copy: readonly string[];
  /** How long each command of `setup` and each test may take, in milliseconds. */
  timeoutMs: number;
  /** Candidates that are merged, tested and land together. */
  batch: number;
  /** How many batches are tested at once, each on top of the one before; 1 tests one after the other. */
  speculate: number;
  strategy: MergeStrategy;
  /** A test command that runs fewer tests is red; they are counted by `format`. */
  minTests?: { count: number; format: TestFormat };
  /** Candidates that touch a path matching one of these are returned: patterns as in git's `:(glob)`. */
  restricted: readonly string[];
}

export const DEFAULT_QUEUE_SETTINGS: QueueSettings = {
  setup: [],
  copy: [],
  timeoutMs: 30 * 60_000,
  batch: 1,
  speculate: 2,
  strategy: 'merge',
  restricted: [],
};

export const MOST_BATCH = 100;
export const MOST_SPECULATE = 8;
