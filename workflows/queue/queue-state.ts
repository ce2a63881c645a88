import type { AdmittedCandidate } from '../../plan/queue/queue-activities';
import type { QueueSettings } from '../../plan/queue/queue-settings';
import type { AttemptStage, DoneView } from '../../plan/queue/queue-view';
import {
  type AskedBy,
  type FailedTest,
  QUEUE_VERSION,
  type QueuePause,
  type QueueTarget,
  type TicketOutcome,
} from '../../plan/queue/ticket';

/**
 * What a queue is at any moment, as plain JSON: it is the input of the next execution. Invariants: 1. a ticket is open, or in the ledger's
 * care (`ending`), or done, and never two of these; 2. an open ticket is in one attempt at most; 3. the first attempt of the line lies on the
 * target, and each other one on the result of the one before it.
 */
export interface QueueState {
  /** `QUEUE_VERSION` of the program that works on it. */
  version: number;
  /** Of the advance that was last. */
  lastOrder?: number;
  tickets: OpenTicket[];
  line: Attempt[];
  /** Numbers of tickets that are tried before all others, each by itself: an attempt of several broke off. */
  apart: number[];
  /** The batch that was red last, as long as it is not known whose fault that is. */
  suspects?: Suspects;
  /** Numbers of attempts whose tests were called off or broke off, and whose worktrees a worker that was killed may have left. */
  left?: number[];
  /** Decided, and not in the queue's ledger yet. */
  ending: EndingTicket[];
  /** The last that ended, the newest first. */
  done: DoneView[];
  ticketsTaken: number;
  attemptsMade: number;
  target?: QueueTarget;
  /** In force from when the queue has work until it has none. */
  settings?: QueueSettings;
  readsSettings?: true;
  paused?: QueuePause['paused'];
  /** Of the last order to pause or to resume: it is in the queue's ledger, too. */
  ordered?: Pick<QueuePause, 'atMs' | 'n'>;
}

export interface OpenTicket {
  number: number;
  asked: AskedBy;
  /** Absent: its submission is being read. */
  candidate?: AdmittedCandidate;
  /** It does not go onto what has not landed: its turn comes when it is the first, on the target itself. */
  alone?: true;
  /** How often somebody else moved the target while it was tested. */
  overtaken?: number;
  /** How often an attempt of it alone broke off, through no fault of its own. */
  broken?: number;
}

export interface Attempt {
  number: number;
  stage: AttemptStage;
  tickets: number[];
  /** Absent: the target. */
  below?: string;
  /** From when it is merged on. */
  merged?: { onto: string; result: string; commits: { ticket: number; commit: string }[] };
  /** The result of a batch that this one is a part of. Absent: its own result is kept. */
  within?: string;
  /** What others have come to on top of its candidates; it holds if these land. */
  held?: { number: number; outcome: TicketOutcome }[];
  red?: FailedTest;
  broken?: number;
}

/** With all of these on top of each other the target is red. */
export interface Suspects {
  /** What the target is at. */
  onto: string;
  /** Two at least, each on top of the one before. */
  commits: { ticket: number; commit: string }[];
  /** The result of the batch: it has all of them, and is kept. */
  within: string;
  red: FailedTest;
}

export interface EndingTicket {
  number: number;
  asked: AskedBy;
  candidate?: AdmittedCandidate;
  outcome: TicketOutcome;
}

/** More are refused: the state has to fit into an input, which has 2 MiB. */
export const MOST_TICKETS = 2000;
/** Of what tickets are called, as JSON. */
export const MOST_TICKET_BYTES = 1_200_000;
export const MOST_DONE = 50;
/** How often one is tested again because the target was moved by somebody else. */
export const MOST_OVERTAKEN = 10;
export const MOST_BROKEN = 3;

export function emptyQueue(): QueueState {
  return { version: QUEUE_VERSION, tickets: [], line: [], apart: [], ending: [], done: [], ticketsTaken: 0, attemptsMade: 0 };
}

/** Those that may be taken next, in their order: by priority, then arrival. */
export function waitingTickets({ tickets, line, suspects }: QueueState): OpenTicket[] {
  const atWork = line.flatMap(({ tickets, held = [] }) => [...tickets, ...held.map(({ number }) => number)]);
  const taken = new Set([...atWork, ...(suspects?.commits.map(({ ticket }) => ticket) ?? [])]);
  const priority = ({ candidate }: OpenTicket): number => candidate?.priority ?? 0;
  return tickets
    .filter(({ number, candidate }) => candidate !== undefined && !taken.has(number))
    .sort((a, b) => priority(a) - priority(b) || a.number - b.number);
}
