import type { QueueSettings } from './queue-settings';
import type { Candidate, QueueTarget, TicketOutcome } from './ticket';

/** What a queue shows of itself. */
export interface QueueView {
  /** Absent before the first candidate is read. */
  target?: QueueTarget;
  /** The settings in force for the current work. Absent: nothing is being worked on. */
  settings?: QueueSettings;
  paused?: { by?: string; reason?: string };
  /** The attempts in progress, each on top of the one before. */
  line: AttemptView[];
  /** The waiting tickets in the order of their turn, as far as it is known. */
  waiting: TicketView[];
  /** How many of `waiting` are left out. */
  moreWaiting?: number;
  /** The newest first. */
  done: DoneView[];
}

const ATTEMPT_STAGES = ['merging', 'testing', 'green', 'red', 'advancing'] as const;
export type AttemptStage = (typeof ATTEMPT_STAGES)[number];

export interface AttemptView {
  number: number;
  stage: AttemptStage;
  tickets: TicketView[];
  /** The commit of the target, or the result of the attempt below. */
  onto?: string;
  result?: string;
  /** Why its work failed the last time; the work is tried again. */
  trouble?: string;
}

/** The candidate is absent until it is read from the asker's ledger. */
export interface TicketView extends Partial<Candidate> {
  ticket: number;
  /** Workflow id of the asker. */
  run: string;
  /** What somebody should look at, such as removed tests. Absent until it is merged, and if there is nothing. */
  remarks?: string[];
}

export interface DoneView extends TicketView {
  outcome: TicketOutcome;
  /** ISO 8601. */
  at: string;
}
