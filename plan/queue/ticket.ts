import type { ArtifactRef } from '../run/artifact';
import type { MadeIn } from '../run/worktree';
import { isJsonObject } from '../text/json';

/** What a merge queue and those who ask it to merge say to each other. Plain JSON. */

export const QUEUE_WORKFLOW = 'thermidor:queue';
/** The version of what a queue does, and of how its state is written: a worker of an earlier version leaves it alone. */
export const QUEUE_VERSION = 1;
/** Wakes an asker whose outcome is in the queue's ledger. Its content is ignored. */
export const QUEUE_SIGNAL = 'thermidor:queue';
/** The update that takes a ticket, and the query that shows the queue. */
export const QUEUE_SUBMIT = 'submit';
export const QUEUE_VIEW = 'queue';
export const QUEUE_ORDERS = ['pause', 'resume', 'drop'] as const;
export type QueueOrder = (typeof QUEUE_ORDERS)[number];

/** A branch of a repository: what one queue moves. */
export interface QueueTarget {
  /** Real path, or URL without credentials. */
  repository: string;
  /** Where the branch is: in the repository itself, or in its remote. */
  refsIn: 'repository' | 'remote';
  /** Where a remote is one that a checkout names: each host asks its own checkout for the URL. */
  remote?: { name: string; checkout: string };
  /** Without `refs/heads/`. */
  branch: string;
}

/** Whether two are the same branch of the same repository; each host finds a remote in its own way. */
export function isSameTarget(one: QueueTarget, other: QueueTarget): boolean {
  return one.repository === other.repository && one.refsIn === other.refsIn && one.branch === other.branch;
}

/**
 * What the queue is asked with. It leads to a submission in the ledger of the run that asks, and says nothing by itself: nothing is believed that
 * is not recorded there. The same three asked again are the same ticket.
 */
export interface AskedBy {
  workflowId: string;
  /** Id of the asker's first execution. */
  run: string;
  /** Of the record: `submission/NAME`. */
  name: string;
}

/** The record in the asker's ledger. */
export interface Submission {
  target: QueueTarget;
  /** The commit. */
  candidate: string;
  /** The ref that keeps it, from which a host that lacks the commit fetches it. */
  ref?: string;
  /** The worktree that it was made in: `setup` and `copy` of that prepare the merged tree as well. */
  madeIn?: MadeIn;
  /** One line: it becomes part of the message of the commit. */
  title: string;
  /** To whom it is returned, for people. */
  author: string;
  /** 1 is first. */
  priority: 1 | 2 | 3 | 4 | 5;
  /** A shell command that is run in the merged tree next to the queue's own. */
  test?: string;
  /** The same, of what the target is expected to be green by already: where it is not, the candidate is not to blame. */
  baseline?: string;
  /** A shell command by which the target stays green: where the target is red by it without the candidate, it may be red with it. */
  staysGreen?: string;
  /** These commands were run on the candidate's own tree: they are not run again where the merged tree is the same. */
  selfTested?: true;
  /** It is tested, and gets a commit of its own, also where the target has all of it: that has landed with the candidate of another. */
  allowEmpty?: true;
  /** In addition to the queue's. */
  restricted?: readonly string[];
  /** The files that it is to change, where somebody has said so: what else it brings is pointed out. */
  own?: readonly string[];
}

export const DEFAULT_PRIORITY = 3;

/** What an asker gets at once. */
export interface Ticket {
  number: number;
}

/** What became of a candidate, as the queue's ledger has it. All but `merged` go back to the author. */
export type TicketOutcome =
  /**
   * `result` is an ancestor of the target. `already`: the target had all of it before. `order`: outcomes may be read in another order than that in which they
   * landed; the greater one landed later. `remarks`: what people and reviewers should know of the candidate. `green`: `result` is green by what its target stays
   * green by.
   */
  | { kind: 'merged'; result: string; already?: true; order?: number; remarks?: string[]; green?: true }
  | { kind: 'conflict'; onto: string; paths: string[]; morePaths?: number }
  | { kind: 'unrelated'; onto: string }
  | { kind: 'restricted'; paths: string[]; morePaths?: number }
  /** It brings the markers of a conflict into files: somebody has left it unresolved. */
  | { kind: 'markers'; paths: string[]; morePaths?: number }
  | ({ kind: 'red'; onto: string; result: string } & FailedTest)
  /** It cannot be queued; the message ends in a hint. */
  | { kind: 'refused'; message: string }
  | { kind: 'failed'; code: string; message: string }
  | { kind: 'dropped'; by?: string };

/** A test that did not pass. */
export interface FailedTest {
  /** Whose it is: the queue's own, or the number of the ticket that brought it. */
  of: 'queue' | number;
  /** `command "npm test" ended with exit code 1` */
  reason: string;
  /** What the candidate was merged onto fails it as well: its author has nothing to mend. */
  isTargets?: true;
  /** The end of what it printed. */
  tail: string;
  /** All of it, as far as it is kept. */
  output?: ArtifactRef;
}

export function submissionName(name: string): string {
  return `submission/${name}`;
}

/** What is known of one ticket whatever its asker calls it. */
export function ticketId({ workflowId, run, name }: AskedBy): string {
  return `${workflowId}~${run}~${name}`;
}

const MOST_TEXT = 1000;

/** Undefined where it is none, or one of its texts is longer than 1000 characters. */
export function readAskedBy(value: unknown): AskedBy | undefined {
  if (!isJsonObject(value)) return undefined;
  const { workflowId, run, name } = value;
  if (!isName(workflowId) || !isName(run) || !isName(name)) return undefined;
  return { workflowId, run, name };
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MOST_TEXT;
}
