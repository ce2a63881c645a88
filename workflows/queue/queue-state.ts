import type { AdmittedCandidate } from '../../plan/queue/queue-activities';
import type { QueueSettings } from '../../plan/queue/queue-settings';
import type { AttemptStage, DoneView } from '../../plan/queue/queue-view';
import type { AskedBy, FailedTest, QueueTarget, TicketOutcome } from '../../plan/queue/ticket';

/**
 * What a queue is at any moment, as plain JSON: it is the input of the next execution. Invariants: 1. a ticket is open, or in the ledger's
 * care (`ending`), or done, and never two of these; 2. an open ticket is in one attempt at most; 3. the first attempt of the line lies on the
 * target, and each other one on the result of the one before it.
 */
export interface QueueState {
  /** Of the advance that was last. */
  lastOrder?: number;
  tickets: OpenTicket[];
  line: Attempt[];
  /** Of the batch that was red last, by numbers of tickets: they are tried before all others. */
  halves: number[][];
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
  paused?: { by?: string; reason?: string };
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
  /** What others have come to on top of its candidates; it holds if these land. */
  held?: { number: number; outcome: TicketOutcome }[];
  red?: FailedTest;
  broken?: number;
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
  return { tickets: [], line: [], halves: [], ending: [], done: [], ticketsTaken: 0, attemptsMade: 0 };
}

export function halvesOf(tickets: readonly number[]): number[][] {
  const half = Math.ceil(tickets.length / 2);
  return [tickets.slice(0, half), tickets.slice(half)];
}

/** Those that may be taken next, in their order: by priority, then arrival. */
export function waitingTickets({ tickets, line }: QueueState): OpenTicket[] {
  const taken = new Set(line.flatMap(({ tickets, held = [] }) => [...tickets, ...held.map(({ number }) => number)]));
  const priority = ({ candidate }: OpenTicket): number => candidate?.priority ?? 0;
  return tickets
    .filter(({ number, candidate }) => candidate !== undefined && !taken.has(number))
    .sort((a, b) => priority(a) - priority(b) || a.number - b.number);
}
