import type { TicketOutcome } from '../../plan/queue/ticket';
import { beginning, ending } from '../../plan/text/shortened';
import type { QueueEffect, QueueEvent } from './events';
import { type Attempt, MOST_DONE, type OpenTicket, type QueueState, ticketView } from './queue-state';

/** How tickets and attempts leave the queue. */

export interface Decided {
  number: number;
  outcome: TicketOutcome;
}

export function ticketWith(state: QueueState, number: number): OpenTicket | undefined {
  return state.tickets.find((ticket) => ticket.number === number);
}

/** Their outcomes are on the way into the queue's ledger. */
export function conclude(state: QueueState, decided: readonly Decided[]): QueueEffect[] {
  const tickets: number[] = [];
  for (const { number, outcome } of decided) {
    const ticket = ticketWith(state, number);
    if (!ticket) continue;
    state.tickets = state.tickets.filter((other) => other !== ticket);
    state.ending.push({ ...ticket, outcome });
    tickets.push(number);
  }
  return tickets.length === 0 ? [] : [{ kind: 'conclude', tickets, commits: [] }];
}

/**
 * The worktree of a cancelled test is gone if a worker has heard of the cancellation. A test that waited for its
 * next try has no worktree. No other event may follow, so the queue has it looked for at once.
 */
export function left(state: QueueState, { attempt }: Extract<QueueEvent, { kind: 'left' }>): QueueEffect[] {
  state.left = [...(state.left ?? []), attempt];
  return [{ kind: 'conclude', tickets: [], commits: [] }];
}

export function ended(state: QueueState, { tickets: numbers, left = [], at }: Extract<QueueEvent, { kind: 'concluded' }>): QueueEffect[] {
  const stillLeft = state.left?.filter((attempt) => !left.includes(attempt)) ?? [];
  if (stillLeft.length > 0) state.left = stillLeft;
  else delete state.left;
  for (const ticket of state.ending.filter(({ number }) => numbers.includes(number)))
    state.done.unshift({ ...ticketView(ticket), outcome: shortened(ticket.outcome), at });
  state.ending = state.ending.filter((ticket) => !numbers.includes(ticket.number));
  state.done = state.done.slice(0, MOST_DONE);
  return [];
}

const MOST_PATHS = 10;
const MOST_TEXT = 1000;

/** The queue's ledger has the whole text. */
function shortened(outcome: TicketOutcome): TicketOutcome {
  switch (outcome.kind) {
    case 'conflict':
    case 'markers':
    case 'restricted': {
      const more = outcome.paths.length - MOST_PATHS;
      return more <= 0 ? outcome : { ...outcome, paths: outcome.paths.slice(0, MOST_PATHS), morePaths: (outcome.morePaths ?? 0) + more };
    }
    case 'red':
      return { ...outcome, reason: beginning(outcome.reason, MOST_TEXT), tail: ending(outcome.tail, MOST_TEXT) };
    case 'refused':
    case 'failed':
      return { ...outcome, message: beginning(outcome.message, MOST_TEXT) };
    default:
      return outcome;
  }
}

const BUSY: readonly Attempt['stage'][] = ['merging', 'testing', 'advancing'];

/** An attempt and all that lie on it: their tickets wait again, each in its turn. */
export function throwAway(state: QueueState, from: number): QueueEffect[] {
  const thrown = state.line.splice(from);
  const busy = thrown.filter(({ stage }) => BUSY.includes(stage));
  delete state.suspects;
  return busy.map(({ number }): QueueEffect => ({ kind: 'cancel', attempt: number }));
}

/** The results that attempts and suspects need. */
export function keptResults({ line, suspects }: QueueState): string[] {
  const results = line.flatMap(({ within, merged }) => within ?? merged?.result ?? []);
  return [...new Set([...results, ...(suspects ? [suspects.within] : [])])];
}

/** Joins all conclusions of one moment into one. */
export function joinConcluded(effects: readonly QueueEffect[], notKept: readonly string[]): QueueEffect[] {
  const concluded = effects.filter((effect) => effect.kind === 'conclude');
  const tickets = concluded.flatMap((one) => one.tickets);
  const commits = [...concluded.flatMap((one) => one.commits), ...notKept];
  const others = effects.filter((effect) => effect.kind !== 'conclude');
  return concluded.length + commits.length === 0 ? others : [...others, { kind: 'conclude', tickets, commits }];
}

export function notKept(commits: readonly string[]): QueueEffect[] {
  return commits.length === 0 ? [] : [{ kind: 'conclude', tickets: [], commits: [...commits] }];
}
