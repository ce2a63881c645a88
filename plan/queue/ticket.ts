import type { ArtifactRef } from '../run/artifact';
import type { MadeIn } from '../run/worktree';
import { isJsonObject } from '../text/json';

/** Messages between a merge queue and those who ask it to merge. Plain JSON. */

export const QUEUE_WORKFLOW = 'thermidor:queue';
/** The version of a queue's behaviour and of its state's format: a worker of an earlier version leaves it alone. */
export const QUEUE_VERSION = 1;
/** Wakes an asker whose outcome is in the queue's ledger. Its content is ignored. */
export const QUEUE_SIGNAL = 'thermidor:queue';
/** The update that takes a ticket, and the query that shows the queue. */
export const QUEUE_SUBMIT = 'submit';
export const QUEUE_VIEW = 'queue';
/** Whether people let a queue work, and since when: of two the later holds, of one moment the one with the higher number. */
export interface QueuePause {
  atMs: number;
  n: number;
  /** Absent: it works. */
  paused?: { by?: string; reason?: string };
}

export function isLater(one: QueuePause, other: Pick<QueuePause, 'atMs' | 'n'> | undefined): boolean {
  return other === undefined || one.atMs > other.atMs || (one.atMs === other.atMs && one.n > other.n);
}

export const QUEUE_ORDERS = ['pause', 'resume', 'drop'] as const;
export type QueueOrder = (typeof QUEUE_ORDERS)[number];

/** A branch of a repository: one queue moves it. */
export interface QueueTarget {
  /** Real path, or URL without credentials. */
  repository: string;
  /** Where the branch is: in the repository itself, or in its remote. */
  refsIn: 'repository' | 'remote';
  /** Set if the remote is one that a checkout names: each host asks its own checkout for the URL. */
  remote?: { name: string; checkout: string };
  /** The branch without `refs/heads/`. */
  branch: string;
}

/** Whether two are the same branch of the same repository; each host finds a remote in its own way. */
export function isSameTarget(one: QueueTarget, other: QueueTarget): boolean {
  return one.repository === other.repository && one.refsIn === other.refsIn && one.branch === other.branch;
}

/**
 * The request to a queue. It leads to a submission in the ledger of the run that asks, and carries no content itself: the queue believes
 * only what is recorded there. The same three values asked again are the same ticket.
 */
export interface AskedBy {
  workflowId: string;
  /** Id of the asker's first execution. */
  run: string;
  /** The name of the record: `submission/NAME`. */
  name: string;
}

/** A commit that is offered for merging. */
export interface Candidate {
  /** The commit. */
  candidate: string;
  /** One line, which becomes part of the commit message. */
  title: string;
  /** To whom it is returned, for people. */
  author: string;
  /** 1 is first. */
  priority: 1 | 2 | 3 | 4 | 5;
}

/** The record of a candidate in the asker's ledger. */
export interface Submission extends Candidate {
  target: QueueTarget;
  /** The ref that keeps it, from which a host that lacks the commit fetches it. */
  ref?: string;
  /** The worktree that it was made in: `setup` and `copy` of that prepare the merged tree as well. */
  madeIn?: MadeIn;
  /** A shell command that is run in the merged tree next to the queue's own. */
  test?: string;
  /** A shell command that should be green on the target already: if it is not, the candidate is not to blame. */
  baseline?: string;
  /** A shell command that keeps the target green: if the target fails it without the candidate, the candidate may fail it too. */
  staysGreen?: string;
  /** These commands were run on the candidate's own tree: they are not run again if the merged tree is the same. */
  selfTested?: true;
  /** It is tested and gets a commit of its own even if the target has all of it: that has landed with another's candidate. */
  allowEmpty?: true;
  /** Patterns in addition to the queue's. */
  restricted?: readonly string[];
  /** The files that it should change, if somebody has said so: any other changed file is pointed out. */
  own?: readonly string[];
}

export const DEFAULT_PRIORITY = 3;

/** The immediate answer to an asker. */
export interface Ticket {
  number: number;
}

/** The outcome of a candidate, as the queue's ledger has it. All but `merged` go back to the author. */
export type TicketOutcome =
  /**
   * `result` is an ancestor of the target. `already`: the target had all of it before. `order`: outcomes may be read in a different order
   * than they landed; the greater one landed later. `remarks`: what people and reviewers should know of the candidate. `green`: `result`
   * passes the command that keeps its target green.
   */
  | { kind: 'merged'; result: string; already?: true; order?: number; remarks?: string[]; green?: true }
  | { kind: 'conflict'; onto: string; paths: string[]; morePaths?: number }
  | { kind: 'unrelated'; onto: string }
  | { kind: 'restricted'; paths: string[]; morePaths?: number }
  /** It leaves conflict markers in files: somebody has not resolved a conflict. */
  | { kind: 'markers'; paths: string[]; morePaths?: number }
  | ({ kind: 'red'; onto: string; result: string } & FailedTest)
  /** It cannot be queued; the message ends in a hint. */
  | { kind: 'refused'; message: string }
  | { kind: 'failed'; code: string; message: string }
  | { kind: 'dropped'; by?: string };

/** A test that did not pass. */
export interface FailedTest {
  /** The owner: the queue itself, or the number of the ticket that brought it. */
  of: 'queue' | number;
  /** `command "npm test" ended with exit code 1` */
  reason: string;
  /** The commit below fails it as well: the candidate's author has nothing to fix. */
  isTargets?: true;
  /** The end of the output. */
  tail: string;
  /** The whole output, as far as it is kept. */
  output?: ArtifactRef;
}

export function submissionName(name: string): string {
  return `submission/${name}`;
}

/** The id of a ticket, whatever its asker calls it. */
export function ticketId({ workflowId, run, name }: AskedBy): string {
  return `${workflowId}~${run}~${name}`;
}

const MOST_TEXT = 1000;

/** Undefined if it is invalid, or if one of its texts is longer than 1000 characters. */
export function readAskedBy(value: unknown): AskedBy | undefined {
  if (!isJsonObject(value)) return undefined;
  const { workflowId, run, name } = value;
  if (!isName(workflowId) || !isName(run) || !isName(name)) return undefined;
  return { workflowId, run, name };
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MOST_TEXT;
}
