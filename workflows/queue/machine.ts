import { defined } from '../../plan/defined';
import type { Admission } from '../../plan/queue/queue-activities';
import {
  type AskedBy,
  isLater,
  isSameTarget,
  type QueuePause,
  type QueueTarget,
  type TicketOutcome,
  ticketId,
} from '../../plan/queue/ticket';
import { unreachable } from '../../plan/unreachable';
import { conclude, ended, joinConcluded, keptResults, left, throwAway, ticketWith } from './endings';
import type { QueueEffect, QueueEvent } from './events';
import { fill } from './fill';
import { advanced, brokenOff, merged, tested } from './line';
import { MOST_TICKET_BYTES, MOST_TICKETS, type QueueState } from './queue-state';

/**
 * The queue as a pure machine: events go in, effects come out. It changes the given state, and nothing else.
 *
 * Invariants: 1. the target moves only by `advance`, and only to a result that was green on exactly that tree; 2. a candidate is returned
 * only for its effect on landed work, and for a red test only on the target itself; 3. every ticket ends once, or is open.
 *
 * @param draining nothing new begins: the execution is about to end
 */
export function handle(state: QueueState, event: QueueEvent, draining = false): QueueEffect[] {
  const before = keptResults(state);
  const effects = [...react(state, event, draining), ...(draining ? [] : fill(state))];
  const kept = new Set(keptResults(state));
  return joinConcluded(
    effects,
    before.filter((commit) => !kept.has(commit)),
  );
}

function react(state: QueueState, event: QueueEvent, draining: boolean): QueueEffect[] {
  switch (event.kind) {
    case 'started':
      return taken(state);
    case 'asked':
      return asked(state, event.asked, draining);
    case 'admitted':
      return admitted(state, event.ticket, event.admission);
    case 'settings':
      state.settings = event.settings;
      delete state.readsSettings;
      if (event.pause && isLater(event.pause, state.ordered)) setPause(state, event.pause);
      return [];
    case 'merged':
      return merged(state, event.attempt, event.answer);
    case 'tested':
      return tested(state, event.attempt, event.answer);
    case 'advanced':
      return advanced(state, event.attempt, event.answer, event.atMs);
    case 'broken':
      return brokenOff(state, event);
    case 'left':
      return left(state, event);
    case 'concluded':
      return ended(state, event);
    case 'paused': {
      const { kind: _kind, atMs, ...paused } = event;
      return ordered(state, { atMs, paused });
    }
    case 'resumed':
      return ordered(state, event);
    case 'dropped':
      return dropped(state, event.ticket, event.by);
    default:
      return unreachable(event);
  }
}

/** Whatever restarts the queue, with its state or without it, the order holds: the ledger gets it. */
function ordered(state: QueueState, { atMs, paused }: Omit<QueuePause, 'n'>): QueueEffect[] {
  const n = state.ordered?.atMs === atMs ? state.ordered.n + 1 : 1;
  setPause(state, { atMs, n, ...defined({ paused }) });
  return [{ kind: 'conclude', tickets: [], commits: [] }];
}

function setPause(state: QueueState, { atMs, n, paused }: QueuePause): void {
  state.ordered = { atMs, n };
  if (paused) state.paused = paused;
  else delete state.paused;
}

/** What the execution before could not complete: it ended with nothing under way. */
function taken(state: QueueState): QueueEffect[] {
  const reading = state.tickets.filter(({ candidate }) => candidate === undefined);
  const ending = state.ending.map(({ number }) => number);
  delete state.readsSettings;
  const effects: QueueEffect[] = reading.map(({ number }) => ({ kind: 'admit', ticket: number }));
  if (ending.length > 0 || state.left) effects.push({ kind: 'conclude', tickets: ending, commits: [] });
  return effects;
}

/** The ticket that an asker has, if it has one. */
export function ticketOf(state: QueueState, asked: AskedBy): number | undefined {
  const id = ticketId(asked);
  return [...state.tickets, ...state.ending].find((ticket) => ticketId(ticket.asked) === id)?.number;
}

/** The words of the refusal, if the queue is full. */
export function isFull({ tickets, ending }: QueueState): string | undefined {
  const open = [...tickets, ...ending];
  if (open.length >= MOST_TICKETS) return `the queue has ${MOST_TICKETS} tickets; ask again later`;
  const text = JSON.stringify(open.map(({ asked, candidate, remarks }) => [asked, candidate, remarks]));
  return new TextEncoder().encode(text).length < MOST_TICKET_BYTES ? undefined : 'the names of its tickets fill the queue; ask again later';
}

/** The next execution reads submissions that come while this one ends: however many come, it does end. */
function asked(state: QueueState, by: AskedBy, draining: boolean): QueueEffect[] {
  if (ticketOf(state, by) !== undefined) return [];
  const number = ++state.ticketsTaken;
  state.tickets.push({ number, asked: by });
  return draining ? [] : [{ kind: 'admit', ticket: number }];
}

function admitted(state: QueueState, number: number, admission: Admission): QueueEffect[] {
  const ticket = ticketWith(state, number);
  if (!ticket) return [];
  switch (admission.kind) {
    case 'admitted':
      if (state.target && !isSameTarget(state.target, admission.target))
        return conclude(state, [{ number, outcome: otherTarget(admission.target) }]);
      state.target = admission.target;
      ticket.candidate = admission.candidate;
      return [];
    case 'known':
      return conclude(state, [{ number, outcome: admission.outcome }]);
    case 'refused':
      return conclude(state, [{ number, outcome: { kind: 'refused', message: admission.message } }]);
    default:
      return unreachable(admission);
  }
}

function otherTarget({ branch, repository, refsIn }: QueueTarget): TicketOutcome {
  return {
    kind: 'refused',
    message: `it is for ${branch} of ${repository} (${refsIn}), and this queue for another branch; submit it to its own`,
  };
}

/** Why a ticket cannot be dropped; undefined if it can. */
export function dropProblem(state: QueueState, number: number): string | undefined {
  if (!ticketWith(state, number)) return `the queue has no open ticket ${number}`;
  const attempt = state.line.find(({ tickets }) => tickets.includes(number));
  return attempt?.stage === 'advancing' ? `ticket ${number} is being merged` : undefined;
}

function dropped(state: QueueState, number: number, by?: string): QueueEffect[] {
  if (dropProblem(state, number) !== undefined) return [];
  const at = state.line.findIndex(({ tickets }) => tickets.includes(number));
  const thrown = at < 0 ? [] : throwAway(state, at);
  // Without a dropped suspect the results of the others are unknown.
  if (state.suspects?.commits.some(({ ticket }) => ticket === number)) delete state.suspects;
  return [...thrown, ...conclude(state, [{ number, outcome: { kind: 'dropped', ...defined({ by }) } }])];
}
