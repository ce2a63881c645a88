import { defined } from '../../plan/defined';
import type { AttemptView, QueueView, TicketView } from '../../plan/queue/queue-view';
import { type Attempt, type QueueState, ticketView, waitingTickets } from './queue-state';
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
    ...defined({ target, settings, paused }),
    line: line.map((attempt) => attemptView(attempt, shown)),
    waiting: waiting.slice(0, MOST_SHOWN),
    ...defined({ moreWaiting: left > 0 ? left : undefined }),
    done,
  };
}

function attemptView({ number, stage, tickets, below, merged }: Attempt, shown: ReadonlyMap<number, TicketView>): AttemptView {
  const onto = merged?.onto ?? below;
  return {
    ...{ number, stage, tickets: tickets.flatMap((ticket) => shown.get(ticket) ?? []) },
    ...defined({ onto, result: merged?.result }),
  };
}
