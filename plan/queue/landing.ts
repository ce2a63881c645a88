import type { ArtifactRef } from '../run/artifact';
import type { CarriedWorktree, MadeIn } from '../run/worktree';
import type { MergeStrategy } from './queue-settings';
import type { Submission, TicketOutcome } from './ticket';

/**
 * Inputs and results of the activities by which a run lands candidates: the asker's side of a merge queue. `name` is that of the
 * submission.
 */

/** A commit of one of the run's worktrees, and where it is. */
export interface OfferedCommit extends Pick<CarriedWorktree, 'repository' | 'refsIn' | 'commit' | 'ref'> {
  slot: string;
  /** Absent: this run made the worktree. */
  madeIn?: MadeIn;
}

/** What a step offers to a merge queue. */
export interface Offer extends Pick<Submission, 'title' | 'author' | 'test' | 'baseline' | 'selfTested' | 'allowEmpty'> {
  from: OfferedCommit;
  /** The branch, without `refs/heads/`. */
  into: string;
  /** The target stays green by the test that the step's plan has for the end. */
  staysGreen?: true;
  /** Fails with `merge.strategy` if the queue has another. */
  strategy?: MergeStrategy;
  /** JSON whose `restricted_files` are the candidate's own: patterns, in addition to the queue's. */
  restrictedBy?: ArtifactRef;
}

export interface SubmitCandidateInput extends Offer, Pick<Submission, 'priority'> {
  run: string;
  name: string;
}

export interface SubmittedCandidate {
  /** Workflow id of the queue. */
  queue: string;
  ticket: number;
  /** Set if an earlier submission of the same name already has its outcome. */
  outcome?: TicketOutcome;
}

export interface CandidateOutcomeInput {
  run: string;
  name: string;
  /** Asks the queue again if there is no outcome yet: it may have been terminated. */
  ask?: true;
}

export interface CandidateOutcome {
  /** Absent: the ticket is open. */
  outcome?: TicketOutcome;
}

export interface WithdrawCandidateInput {
  run: string;
  name: string;
}

/** A ticket of a merge queue, or a task given to a team, whose outcome a run waits for: as its state has it. */
export interface AwaitedTicket {
  /** The path of the step that waits for it. */
  path: string;
  /** The address of the step's try. */
  address: string;
  /** The team that has the task; then there is no queue. */
  team?: string;
  /** Absent: it is being submitted. */
  queue?: string;
  /** Its number, once it is known. */
  ticket?: number;
  /** The queue or the team has announced news. */
  woken?: true;
}
