import type { Acceptance } from './task-graph';

/** An engineer's assignment: JSON, without any dialogue. */
export type Assignment = {
  task_id: string;
  /** `e1` to `e8`: the slot that it is done in. */
  engineer_id: string;
  title: string;
  description: string;
  target_files: string[];
  /** Empty: the files are its own. */
  functions: string[];
  /** Tasks whose work is in `base_commit`. */
  dependencies: string[];
  acceptance: Acceptance;
  /** The test of each merged tree: the last resort of an engineer whose change no other test mentions. */
  default_test?: string;
  /** A candidate that touches a path matching one of these is refused. */
  restricted_files: string[];
  /** The commit from which the worktree was cut. */
  base_commit: string;
  /** Counts from 1; one more for each returned candidate. */
  attempt: number;
  /** From the second attempt on: the earlier attempt's commit. It is in the worktree already, on top of `base_commit`. */
  earlier_commit?: string;
  /** From the second attempt on: why the candidate came back. */
  returned?: Returned;
  /** Tasks that are in progress elsewhere, and the files that are theirs for as long. */
  others?: { task_id: string; target_files: string[] }[];
  /** In a checkout that all engineers share: the owners of the other files. Only this keeps engineers apart there. */
  owned_by_others?: { task_id: string; target_files: string[] }[];
};

/**
 * `ownership`: it changes files that other tasks own. `review`: a reviewer refused it. `failed`: the engineer has brought none. `empty`:
 * nothing was changed.
 */
export const RETURN_REASONS = ['conflict', 'red', 'restricted', 'ownership', 'review', 'failed', 'empty'] as const;
export type ReturnReason = (typeof RETURN_REASONS)[number];

/** Why a candidate came back, as far as its author has to know. */
export type Returned = {
  reason: ReturnReason;
  message: string;
  /** Paths of a conflict, restricted ones, or those of other tasks. */
  paths?: string[];
  /** The end of what a failing test printed. */
  tail?: string;
};

/** `blocked`: it cannot be done as assigned; the summary says why. */
const REPORT_STATUSES = ['done', 'blocked'] as const;

const COUNT = { type: 'integer', minimum: 0 } as const;

/** The JSON Schema of an engineer's answer. The commit that counts is the one of its worktree, which is made when the attempt ends. */
export const ENGINEER_REPORT_SCHEMA = {
  type: 'object',
  required: ['task_id', 'status', 'summary', 'tests'],
  properties: {
    task_id: { type: 'string' },
    status: { enum: REPORT_STATUSES },
    commit: { type: 'string', pattern: '^([0-9a-f]{40}|[0-9a-f]{64})$' },
    summary: { type: 'string', maxLength: 4000 },
    tests: {
      type: 'object',
      required: ['command', 'passed', 'failed'],
      properties: { command: { type: 'string', maxLength: 4000 }, passed: COUNT, failed: COUNT },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
} as const;
