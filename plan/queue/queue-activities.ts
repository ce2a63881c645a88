import type { QueueSettings } from './queue-settings';
import type { AskedBy, FailedTest, QueueTarget, Submission, TicketOutcome } from './ticket';

/**
 * Inputs and results of a queue's activities. `run` is the id of the queue's first execution. They say what to look for: by which rules candidates are merged
 * and tested is in the settings of the worker, what they are in the ledgers of those who ask, and what was made, tested and landed in that of the queue.
 */

export interface AdmitInput {
  run: string;
  asked: AskedBy;
}

/** What the ledgers say of a ticket. `known`: it has an outcome, or landed before a queue was lost. */
export type Admission =
  | { kind: 'admitted'; target: QueueTarget; candidate: AdmittedCandidate }
  | { kind: 'known'; outcome: TicketOutcome }
  | { kind: 'refused'; message: string };

export type AdmittedCandidate = Pick<Submission, 'candidate' | 'title' | 'author' | 'priority'> & {
  /** Known once it is merged. */
  remarks?: string[];
};

export interface SettingsInput {
  run: string;
  target: QueueTarget;
}

/** A candidate of an attempt. */
export interface AttemptCandidate {
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
  candidates: AttemptCandidate[];
  /** Of the commits that are made: made again they are the same. */
  atMs: number;
}

export interface MergedCandidates {
  /** What the first candidate was merged onto. */
  onto: string;
  /** With all that merged; `onto` where nothing did. */
  result: string;
  /** In the order of the candidates, each on top of those before that merged. */
  parts: MergedPart[];
}

export type MergedPart = { ticket: number } & MergedAs;
export type MergedAs =
  /** `remarks`: what people and reviewers should know of it. */
  | { kind: 'merged'; commit: string; remarks?: string[] }
  /** The target had it. `result`: what a try that nobody knows of has landed it in. */
  | { kind: 'already'; result?: string }
  | { kind: 'conflict'; paths: string[]; morePaths?: number }
  | { kind: 'unrelated' }
  | { kind: 'restricted'; paths: string[]; morePaths?: number }
  | { kind: 'markers'; paths: string[]; morePaths?: number };

export interface TestInput {
  run: string;
  attempt: number;
  target: QueueTarget;
  /** What is tested. */
  commit: string;
  /** A result that is kept, and has the commit in its history. Absent: the commit itself is kept. */
  within?: string;
  /** What it was merged onto: a test that is red there, too, is no candidate's fault. */
  onto?: string;
  /** What it was merged onto has not landed yet. Where it does, the queue's own test was green on it. */
  isAhead?: true;
  candidates: AttemptCandidate[];
}

export type Tested = { kind: 'green' } | ({ kind: 'red' } & FailedTest);

export interface AdvanceInput {
  run: string;
  target: QueueTarget;
  from: string;
  to: string;
  /** As that of a test. */
  within?: string;
  candidates: (AttemptCandidate & { commit: string })[];
}

/** `stale`: the target is elsewhere, and was left alone. `dirty`: so was it, because of changes in the folder that has it checked out. */
export type AdvancedTarget = { kind: 'moved' } | { kind: 'stale' } | { kind: 'dirty'; message: string };

export interface ConcludeInput {
  run: string;
  /** Absent: nothing was read yet that says what the queue is of. */
  target?: QueueTarget;
  outcomes: { asked: AskedBy; outcome: TicketOutcome }[];
  /** Made by attempts that are over: their refs are not needed any more. */
  commits: string[];
  /** Attempts whose tests have ended without an answer: what is there of their worktrees is not needed any more. */
  left?: readonly number[];
}

/** Activities of queues by name. */
export interface QueueActivities {
  /** Reads what the asker has submitted, and what the queue knows of it. */
  admitCandidate(input: AdmitInput): Promise<Admission>;
  /** The rules of the worker that takes it. */
  queueSettings(input: SettingsInput): Promise<QueueSettings>;
  /** Makes the merged commits by the rules of the worker, and moves nothing. */
  mergeCandidates(input: MergeInput): Promise<MergedCandidates>;
  /** By the rules of the worker, in a worktree that is gone afterwards. */
  testMerged(input: TestInput): Promise<Tested>;
  /** Moves the target to what was tested green, where it is still where it was. */
  advanceTarget(input: AdvanceInput): Promise<AdvancedTarget>;
  /** Records outcomes in the queue's ledger and wakes those who asked; removes what attempts have left. */
  concludeTickets(input: ConcludeInput): Promise<void>;
}
export type QueueActivityName = keyof QueueActivities;

/** What an attempt does, one after the other. */
export type AttemptWork = 'merge' | 'test' | 'advance';

/** The id of an attempt's activity. */
export function attemptAddress(work: AttemptWork, attempt: number): string {
  return `${work}-${attempt}`;
}

export function attemptAddresses(attempt: number): string[] {
  const works: readonly AttemptWork[] = ['merge', 'test', 'advance'];
  return works.map((work) => attemptAddress(work, attempt));
}
