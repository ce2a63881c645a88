import { defined } from '../../plan/defined';
import type { QueueSettings } from '../../plan/queue/queue-settings';
import type { AttemptStage, DoneView, TicketView } from '../../plan/queue/queue-view';
import {
  type AskedBy,
  type Candidate,
  type FailedTest,
  QUEUE_VERSION,
  type QueuePause,
  type QueueTarget,
  type TicketOutcome,
} from '../../plan/queue/ticket';

/**
 * The state of a queue, as plain JSON: it is the input of the next execution. Invariants: 1. a ticket is open, or being recorded
 * (`ending`), or done, and never two of these; 2. an open ticket is in one attempt at most; 3. the first attempt of the line is on top of
 * the target, and each other one on the result of the one before it.
 */
export interface QueueState {
  /** `QUEUE_VERSION` of the program that works on it. */
  version: number;
  /** The order of the last advance. */
  lastOrder?: number;
  tickets: OpenTicket[];
  line: Attempt[];
  /** Numbers of tickets that are tried before all others, each by itself, because an attempt of several broke off. */
  apart: number[];
  /** The last red batch, as long as it is not known whose fault that is. */
  suspects?: Suspects;
  /** Numbers of attempts whose tests were cancelled or broke off, and whose worktrees a killed worker may have left. */
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
  /** The last order to pause or to resume, which the queue's ledger has, too. */
  ordered?: Pick<QueuePause, 'atMs' | 'n'>;
}

export interface OpenTicket {
  number: number;
  asked: AskedBy;
  /** Absent: its submission is being read. */
  candidate?: Candidate;
  /** Remarks on the candidate; known once it is merged. */
  remarks?: string[];
  /** It does not go onto unlanded work: its turn comes when it is the first, on the target itself. */
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
  /** Set once it is merged. */
  merged?: { onto: string; result: string; commits: { ticket: number; commit: string }[] };
  /** The result of a batch that contains this one. Absent: its own result is kept. */
  within?: string;
  /** Results of others on top of its candidates; they hold if these land. */
  held?: { number: number; outcome: TicketOutcome }[];
  red?: FailedTest;
  broken?: number;
}

/** With all of these on top of each other the target is red. */
export interface Suspects {
  /** The target's commit. */
  onto: string;
  /** At least two, each on top of the one before. */
  commits: { ticket: number; commit: string }[];
  /** The result of the batch: it has all of them, and is kept. */
  within: string;
  red: FailedTest;
}

export interface EndingTicket extends OpenTicket {
  outcome: TicketOutcome;
}

/** More are refused: the state has to fit into an input, which has 2 MiB. */
export const MOST_TICKETS = 2000;
/** The limit of the tickets' names, as JSON. */
export const MOST_TICKET_BYTES = 1_200_000;
export const MOST_DONE = 50;
/** How often one is tested again because somebody else moved the target. */
export const MOST_OVERTAKEN = 10;
export const MOST_BROKEN = 3;

export function emptyQueue(): QueueState {
  return { version: QUEUE_VERSION, tickets: [], line: [], apart: [], ending: [], done: [], ticketsTaken: 0, attemptsMade: 0 };
}

/** What a queue shows of a ticket. */
export function ticketView({ number, asked, candidate, remarks }: OpenTicket): TicketView {
  return { ticket: number, run: asked.workflowId, ...candidate, ...defined({ remarks }) };
}

/** Tickets that may be taken next, in their order: by priority, then arrival. One that is still being read holds up nobody. */
export function waitingTickets({ tickets, line, suspects }: QueueState): OpenTicket[] {
  const atWork = line.flatMap(({ tickets, held = [] }) => [...tickets, ...held.map(({ number }) => number)]);
  const taken = new Set([...atWork, ...(suspects?.commits.map(({ ticket }) => ticket) ?? [])]);
  const priority = ({ candidate }: OpenTicket): number => candidate?.priority ?? 0;
  return tickets
    .filter(({ number, candidate }) => candidate !== undefined && !taken.has(number))
    .sort((a, b) => priority(a) - priority(b) || a.number - b.number);
}
