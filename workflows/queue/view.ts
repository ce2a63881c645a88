import type { AttemptView, QueueView, TicketView } from '../../plan/queue/queue-view';
import { type Attempt, type OpenTicket, type QueueState, waitingTickets } from './queue-state';
import { waitingSuspects } from './suspects';

const MOST_SHOWN = 500;

export function viewOf(state: QueueState): QueueView {
  const { tickets, line, done, target, settings, paused } = state;
  const shown = new Map(tickets.map((ticket) => [ticket.number, ticketView(ticket)]));
  const unread = tickets.filter(({ candidate }) => candidate === undefined);
  const held = line.flatMap((attempt) => attempt.held ?? []).flatMap(({ number }) => shown.get(number) ?? []);
  const suspects = waitingSuspects(state).flatMap((number) => shown.get(number) ?? []);
  const waiting = [...suspects, ...held, ...[...waitingTickets(state), ...unread].map(ticketView)];
  const left = waiting.length - MOST_SHOWN;
  return {
    ...(target ? { target } : {}),
    ...(settings ? { settings } : {}),
    ...(paused ? { paused } : {}),
    line: line.map((attempt) => attemptView(attempt, shown)),
    waiting: waiting.slice(0, MOST_SHOWN),
    ...(left > 0 ? { moreWaiting: left } : {}),
    done,
  };
}

function ticketView({ number, asked, candidate }: OpenTicket): TicketView {
  return { ticket: number, run: asked.workflowId, ...candidate };
}

function attemptView({ number, stage, tickets, below, merged }: Attempt, shown: ReadonlyMap<number, TicketView>): AttemptView {
  const onto = merged?.onto ?? below;
  return {
    ...{ number, stage, tickets: tickets.flatMap((ticket) => shown.get(ticket) ?? []) },
    ...(onto === undefined ? {} : { onto }),
    ...(merged ? { result: merged.result } : {}),
  };
}
