import { defined } from '../../plan/defined';
import type { AttemptView, QueueView, TicketView } from '../../plan/queue/queue-view';
import { QUEUE_VERSION, type QueueOrder, readAskedBy, type Ticket } from '../../plan/queue/ticket';
import { ThermidorFailure } from '../../plan/run/failure';
import { whyTooOldForQueue } from '../../plan/run/worker-version';
import { isJsonObject } from '../../plan/text/json';
import { beginning } from '../../plan/text/shortened';
import { unreachable } from '../../plan/unreachable';
import { type Cancellable, Cancelled } from '../run-context';
import { type AttemptEffect, attemptCall, brokenBy, type RecordEffect, recordCall } from './calls';
import type { QueueEffect, QueueEvent } from './events';
import { dropProblem, handle, isFull, ticketOf } from './machine';
import { type QueueContext, type QueueInput, QueueRefusal } from './queue-context';
import { type Attempt, emptyQueue, type QueueState, ticketView, waitingTickets } from './queue-state';
import { waitingSuspects } from './suspects';
import { doorOf } from './taken-over';

/** The server accepts a bounded number of updates of one execution. */
const MOST_UPDATES = 1000;
const AGAIN_MS = 60_000;
/** The limit of an order's text; the state has to fit into an input. */
const MOST_TEXT = 200;

/**
 * A merge queue: performs the machine's effects, and reports their results to it. It has no end: an execution whose history is full
 * completes its work in progress, begins nothing more, and passes its state on.
 */
export async function mergeQueue(context: QueueContext, input: QueueInput): Promise<never> {
  const door = doorOf();
  const tooOld = whyTooOldForQueue(input.version);
  if (tooOld !== undefined) {
    context.listen(door.inbound);
    throw door.stayShut(tooOld);
  }
  const { state } = input;
  if (!state) return await workQueue(context, emptyQueue());
  context.listen(door.inbound);
  const taken = await context.loadState(state);
  // Anybody may have typed the version that is in the input.
  const reallyTooOld = whyTooOldForQueue(taken.version);
  if (reallyTooOld !== undefined) throw door.stayShut(reallyTooOld);
  return await workQueue({ ...context, listen: door.open }, { ...taken, version: QUEUE_VERSION });
}

async function workQueue(context: QueueContext, state: QueueState): Promise<never> {
  const attempts = new Map<number, Cancellable<QueueEvent>>();
  let underWay = 0;
  let updates = 0;
  /** How often the state has changed. */
  let changes = 0;
  let bug: { error: unknown } | undefined;
  const drains = (): boolean => updates >= MOST_UPDATES || context.historyIsFull();

  function apply(event: QueueEvent): void {
    changes++;
    for (const effect of handle(state, event, drains())) perform(effect);
  }

  function perform(effect: QueueEffect): void {
    if (effect.kind === 'cancel') {
      attempts.get(effect.attempt)?.cancel();
      return;
    }
    underWay++;
    const work = isOfAttempt(effect) ? attempted(effect) : recorded(effect);
    const over = work.catch((error: unknown) => {
      bug ??= { error };
    });
    void over.then(() => {
      underWay--;
    });
  }

  async function attempted(effect: AttemptEffect): Promise<void> {
    const call = attemptCall(context, state, effect);
    attempts.set(effect.attempt, call);
    try {
      apply(await call.promise);
    } catch (error) {
      // Called off, when it was thrown away.
      const isCancelled = error instanceof Cancelled;
      const broken = isCancelled ? undefined : brokenBy(effect, error);
      if (!isCancelled && !broken) throw error;
      if (effect.kind === 'test') apply({ kind: 'left', attempt: effect.attempt });
      if (broken) apply(broken);
    } finally {
      if (attempts.get(effect.attempt) === call) attempts.delete(effect.attempt);
    }
  }

  /** The next execution does what this one could not. */
  async function recorded(effect: RecordEffect): Promise<void> {
    while (isWanted(effect)) {
      // Outside of the `try`: a bug that this throws would be asked again forever.
      const call = recordCall(context, state, effect);
      try {
        apply(await call);
        return;
      } catch (error) {
        if (!(error instanceof ThermidorFailure)) throw error;
        if (drains()) return;
        await context.sleep(AGAIN_MS);
      }
    }
  }

  /** A ticket may be dropped while it is read. */
  function isWanted(effect: RecordEffect): boolean {
    return effect.kind !== 'admit' || state.tickets.some(({ number }) => number === effect.ticket);
  }

  // Before anything comes in: earlier messages would be begun twice.
  apply({ kind: 'started' });
  context.listen({
    checkSubmit(payload) {
      const asked = requireAsked(payload);
      const full = ticketOf(state, asked) === undefined ? isFull(state) : undefined;
      if (full !== undefined) throw new QueueRefusal(full);
    },
    submit(payload): Ticket {
      updates++;
      const asked = requireAsked(payload);
      apply({ kind: 'asked', asked });
      return { number: ticketOf(state, asked) ?? state.ticketsTaken };
    },
    checkOrder(order, payload) {
      const event = orderEvent(order, payload, context.now());
      const problem = event.kind === 'dropped' ? dropProblem(state, event.ticket) : undefined;
      if (problem !== undefined) throw new QueueRefusal(problem);
    },
    order(order, payload) {
      updates++;
      apply(orderEvent(order, payload, context.now()));
    },
    view: () => viewOf(state),
  });
  for (;;) {
    await context.until(() => bug !== undefined || (drains() && underWay === 0));
    if (bug) throw bug.error;
    await context.handlersFinished();
    const seen = changes;
    const saved = await context.saveState(state);
    await context.handlersFinished();
    // Messages during the storing have changed it: it is stored again.
    if (seen === changes) return await context.continueAsNew({ state: saved, version: QUEUE_VERSION });
  }
}

function isOfAttempt(effect: AttemptEffect | RecordEffect): effect is AttemptEffect {
  return 'attempt' in effect;
}

function requireAsked(payload: unknown) {
  const asked = readAskedBy(payload);
  if (!asked) throw new QueueRefusal('a candidate is submitted as {"workflowId", "run", "name"}: the record of it in the ledger of a run');
  return asked;
}

type Order = Extract<QueueEvent, { kind: 'paused' | 'resumed' | 'dropped' }>;

function orderEvent(order: QueueOrder, payload: unknown, atMs: number): Order {
  const { by, reason, ticket } = isJsonObject(payload) ? payload : {};
  const who = typeof by === 'string' ? { by: beginning(by, MOST_TEXT) } : {};
  switch (order) {
    case 'pause':
      return { kind: 'paused', atMs, ...who, ...(typeof reason === 'string' ? { reason: beginning(reason, MOST_TEXT) } : {}) };
    case 'resume':
      return { kind: 'resumed', atMs };
    case 'drop':
      if (typeof ticket !== 'number') throw new QueueRefusal('drop names a ticket by its number: {"ticket": 3}');
      return { kind: 'dropped', ticket, ...who };
    default:
      return unreachable(order);
  }
}

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
