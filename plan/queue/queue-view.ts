import type { QueueSettings } from './queue-settings';
import type { QueueTarget, TicketOutcome } from './ticket';

/** What a queue shows of itself. */
export interface QueueView {
  /** Absent before the first candidate is read. */
  target?: QueueTarget;
  /** In force for what is at work. Absent: nothing is. */
  settings?: QueueSettings;
  paused?: { by?: string; reason?: string };
  /** What is at work, each on top of the one before. */
  line: AttemptView[];
  /** In the order in which their turn comes, as far as it is known. */
  waiting: TicketView[];
  /** Of `waiting`: how many are left out. */
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
  /** What the target was at, or the result of the attempt below. */
  onto?: string;
  result?: string;
  /** What its work failed with when it was last tried; it is tried again. */
  trouble?: string;
}

export interface TicketView {
  ticket: number;
  /** Workflow id of the asker. */
  run: string;
  /** Absent until the candidate is read from the asker's ledger. */
  candidate?: string;
  title?: string;
  author?: string;
  priority?: number;
  /** What somebody should look at, such as tests that it removes. Absent until it is merged, and where there is nothing. */
  remarks?: string[];
}

export interface DoneView extends TicketView {
  outcome: TicketOutcome;
  /** ISO 8601. */
  at: string;
}
