import type { QueueSettings } from './queue-settings';
import type { AskedBy, Candidate, FailedTest, QueuePause, QueueTarget, TicketOutcome } from './ticket';

/**
 * Inputs and results of a queue's activities. `run` is the id of the queue's first execution. Inputs only point to data: the rules for
 * merging and testing are in the worker's settings, the candidates in the ledgers of those who ask, and what was made, tested and landed in
 * the queue's ledger.
 */

export interface AdmitInput {
  run: string;
  asked: AskedBy;
}

/** What the ledgers have on a ticket. `known`: it has an outcome, or landed before a queue was lost. */
export type Admission =
  | { kind: 'admitted'; target: QueueTarget; candidate: Candidate }
  | { kind: 'known'; outcome: TicketOutcome }
  | { kind: 'refused'; message: string };

export interface SettingsInput {
  run: string;
  target: QueueTarget;
}

/** Where the candidate of an attempt is recorded. */
export interface AskedTicket {
  ticket: number;
  asked: AskedBy;
}

export interface MergeInput {
  run: string;
  target: QueueTarget;
  /** The result of the attempt below. Absent: the target, wherever it is. */
  onto?: string;
  /** A result that is kept, and has `onto` in its history. Absent: `onto` itself is kept. */
  within?: string;
  candidates: AskedTicket[];
  /** The date of the commits that are made: made again they are the same. */
  atMs: number;
}

export interface MergedCandidates {
  /** The commit onto which the first candidate was merged. */
  onto: string;
  /** The commit with everything merged; `onto` if nothing was. */
  result: string;
  /** In the order of the candidates, each on top of the earlier ones that merged. */
  parts: MergedPart[];
}

export type MergedPart = { ticket: number } & MergedAs;
export type MergedAs =
  /** `remarks`: what people and reviewers should know of the candidate. */
  | { kind: 'merged'; commit: string; remarks?: string[] }
  /** The target already had it. `result`: the commit in which an unrecorded try has landed it. */
  | { kind: 'already'; result?: string }
  | { kind: 'conflict'; paths: string[]; morePaths?: number }
  | { kind: 'unrelated' }
  | { kind: 'restricted'; paths: string[]; morePaths?: number }
  | { kind: 'markers'; paths: string[]; morePaths?: number };

export interface TestInput {
  run: string;
  attempt: number;
  target: QueueTarget;
  /** The commit to test. */
  commit: string;
  /** A result that is kept, and has the commit in its history. Absent: the commit itself is kept. */
  within?: string;
  /** The commit onto which it was merged: a test that is red there, too, is no candidate's fault. */
  onto?: string;
  /** The commit below has not landed yet. If it does, the queue's own test was green on it. */
  isAhead?: true;
  candidates: AskedTicket[];
}

export type Tested = { kind: 'green' } | ({ kind: 'red' } & FailedTest);

export interface AdvanceInput {
  run: string;
  target: QueueTarget;
  from: string;
  to: string;
  /** A result that is kept, and has `to` in its history. Absent: `to` itself is kept. */
  within?: string;
  candidates: AskedTicket[];
}

/**
 * `stale`: the target has moved, and was left alone. `dirty`: it was left alone because of changes in the folder that has it checked out.
 */
export type AdvancedTarget = { kind: 'moved' } | { kind: 'stale' } | { kind: 'dirty'; message: string };

export interface ConcludeInput {
  run: string;
  /** Absent: nothing that names the queue's target was read yet. */
  target?: QueueTarget;
  outcomes: { asked: AskedBy; outcome: TicketOutcome }[];
  /** Commits of attempts that are over: their refs are no longer needed. */
  commits: string[];
  /** Attempts whose tests ended without an answer: the remains of their worktrees are no longer needed. */
  left?: readonly number[];
  /** The last order to pause or to resume. */
  pause?: QueuePause;
}

/** Activities of queues by name. */
export interface QueueActivities {
  /** Reads what the asker has submitted, and what the queue knows of it. */
  admitCandidate(input: AdmitInput): Promise<Admission>;
  /** The rules of the worker that takes it, and whether the queue's ledger has it paused. */
  queueSettings(input: SettingsInput): Promise<QueueSettings & { pause?: QueuePause }>;
  /** Makes the merged commits by the rules of the worker, and moves nothing. */
  mergeCandidates(input: MergeInput): Promise<MergedCandidates>;
  /** Tests by the rules of the worker, in a worktree that is removed afterwards. */
  testMerged(input: TestInput): Promise<Tested>;
  /** Moves the target to the tested commit, if the target has not moved meanwhile. */
  advanceTarget(input: AdvanceInput): Promise<AdvancedTarget>;
  /** Records outcomes and orders in the queue's ledger and wakes those who asked; removes the remains of attempts. */
  concludeTickets(input: ConcludeInput): Promise<void>;
}
export type QueueActivityName = keyof QueueActivities;

/** The work of an attempt, in order. */
export type AttemptWork = 'merge' | 'test' | 'advance';

/** The id of an attempt's activity. */
export function attemptAddress(work: AttemptWork, attempt: number): string {
  return `${work}-${attempt}`;
}

export function attemptAddresses(attempt: number): string[] {
  const works: readonly AttemptWork[] = ['merge', 'test', 'advance'];
  return works.map((work) => attemptAddress(work, attempt));
}
