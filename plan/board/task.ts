import type { ArtifactRef } from '../run/artifact';

/** Tasks of a board, as a file, a planner, a person or an agent gives them. */

/** A board gives its tasks numbers, from 1. */
export type TaskNumber = number;

/** How others call a task: by its number, or by the name that it was given. */
export type TaskRef = TaskNumber | string;

/** Names that look like numbers would be taken for them. */
export const TASK_NAME = /^(?!#?\d+$)\S.{0,79}$/;

const NUMBER = /^#?(\d{1,15})$/;

/** The number of a task in a text such as `#3`, or in a number. */
export function numberIn(ref: unknown): TaskNumber | undefined {
  if (typeof ref === 'number') return Number.isSafeInteger(ref) ? ref : undefined;
  const digits = typeof ref === 'string' ? NUMBER.exec(ref.trim())?.[1] : undefined;
  return digits === undefined ? undefined : Number(digits);
}

export interface NewTask {
  /** What a list, a planner or an agent calls it; unique on the board. */
  name?: string;
  /** One line, at most `SUBJECT_CHARACTERS`. */
  subject: string;
  /** What is to be done, in the store: at most `DESCRIPTION_BYTES`. */
  description?: ArtifactRef;
  /** Tasks that must be done before. */
  blockedBy?: TaskRef[];
  /** Only members with this role may claim it. */
  requiredRole?: string;
  /** The smaller number comes first. @default 0 */
  priority?: number;
  /** Whether it has a worktree of its own, and what that is called (`WORKTREE_LABEL`). Absent: as the board says for all. */
  worktree?: boolean | string;
}

/** What a task's worktree is called in lists. No branch has this name. */
export const WORKTREE_LABEL = /^[A-Za-z0-9._-]{1,40}$/;

/** Who has given a task back, and why: the beginning of a reason whose whole is in the store. */
export interface ReturnedTask {
  by: string;
  reason: string;
  whole?: ArtifactRef;
}

export const SUBJECT_CHARACTERS = 200;
export const DESCRIPTION_BYTES = 64 * 1024;

/** The field of an output that names the whole of a result, if `result` has only its beginning. */
export const WHOLE_RESULT = 'result_whole';
/** How many tasks one may wait for, as it is created. */
export const MOST_BLOCKERS = 100;

/** Everything that ends a line somewhere, and what a terminal obeys. */
const LINE_BREAK = /[\n\r\v\f\u0085\u2028\u2029]/;
const CONTROL = /\p{Cc}/u;

/** Why the text, without blanks at its ends, is no subject. */
export function subjectProblem(subject: string): { problem: string; hint: string } | undefined {
  const { length } = subject;
  if (length === 0) return { problem: 'is missing', hint: 'say in one line what is to be done' };
  if (LINE_BREAK.test(subject)) return { problem: 'has several lines', hint: 'put what follows the first into its description' };
  if (CONTROL.test(subject)) return { problem: 'has control characters', hint: 'leave them out' };
  if (length <= SUBJECT_CHARACTERS) return undefined;
  const problem = `has ${length} characters; at most ${SUBJECT_CHARACTERS} are allowed`;
  return { problem, hint: 'put the rest into its description' };
}

export const TASK_STATUSES = ['pending', 'in_progress', 'landing', 'completed', 'held', 'dropped'] as const;
/**
 * `landing`: its owner has completed it, and its commit is in the merge queue. `held`: it was tried as often as it may be, and a person is
 * asked.
 */
export type TaskStatus = (typeof TASK_STATUSES)[number];

export type ClaimSource = 'auto' | 'manual';
