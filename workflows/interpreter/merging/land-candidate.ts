import { defined } from '../../../plan/defined';
import type { AwaitedTicket, Offer } from '../../../plan/queue/landing';
import { DEFAULT_PRIORITY, type TicketOutcome } from '../../../plan/queue/ticket';
import type { StepContext } from '../context/step-context';
import type { Interpreter } from '../interpreter';
import type { Place } from '../scheduling/place';
import { workerActivityOptions } from '../steps/activity-options';
import { SHORT_ACTIVITY_MS } from '../steps/activity-timeouts';
import { awaitTicket } from './await-ticket';
import { closeTicket, openTicket, withdrawSoon } from './open-tickets';
import { describeReturned } from './outcomes';

/**
 * Lands a commit of one of the run's worktrees: submits it to the merge queue of its repository and branch, and waits for its outcome. One
 * call of the step's code (`offeredBy` gives a step's commit); several at once go through `ctx.all`, with a key each.
 *
 * const outcome = await landCandidate(it, place, ctx, 'alice', { from, into: 'main', title, author: 'alice' });
 *
 * Returns any outcome as data: the caller decides about sending work back. Fails with `merge.strategy`, with `merge.dropped` if its ticket
 * was withdrawn, and with `step.timeout` at `dueMs`, in milliseconds since the epoch. A step that holds a slot gives it back meanwhile
 * (`it.rest`, `it.resume`).
 *
 * Invariants: 1. the submission's name is the address of the step's try and the key, so a fresh execution, a reset and a retried activity
 * find the same ticket; 2. the ticket is in state from before it is taken until its outcome is, and whatever ends the wait drops it
 * (`open-tickets.ts`); 3. the outcome is read only from the queue's ledger: a wake, a long silence, and a fresh execution each cause a look
 * there, and after a silence the queue is asked again, because it may have been terminated.
 */
export function landCandidate(
  it: Interpreter,
  place: Place,
  ctx: StepContext,
  key: string,
  offer: Offer,
  dueMs?: number,
): Promise<TicketOutcome> {
  return ctx.through(key, () => landed(it, place, key, offer, dueMs));
}

/** The first silence. */
const SILENCE_MS = 60_000;

async function landed(it: Interpreter, place: Place, key: string, offer: Offer, dueMs: number | undefined): Promise<TicketOutcome> {
  const { run } = it;
  const address = run.address(place.path);
  const name = `${address}/${key}`;
  const known = run.state.tickets?.[name];
  const ticket = known ?? openTicket(run, name, { path: place.path, address });
  try {
    const outcome =
      (await (known?.ticket === undefined ? submitted(it, place, name, offer, ticket, dueMs) : looked(it, place, name))) ??
      (await awaitTicket(it, place, ticket, {
        ...{ name, dueMs, silenceMs: SILENCE_MS, look: (ask) => looked(it, place, name, ask) },
        missing: () => `ticket ${ticket.ticket} of ${ticket.queue} has no outcome in time`,
      }));
    noteOutcome(it, place, offer, ticket, outcome);
    closeTicket(it, name);
    return outcome;
  } catch (error) {
    // When a run ends, its end withdraws open tickets.
    if (!run.ending) withdrawSoon(it, name);
    throw error;
  }
}

async function submitted(
  it: Interpreter,
  place: Place,
  name: string,
  offer: Offer,
  ticket: AwaitedTicket,
  dueMs: number | undefined,
): Promise<TicketOutcome | undefined> {
  const { run } = it;
  const options = workerActivityOptions(place);
  const scheduleToCloseMs = dueMs === undefined ? {} : { scheduleToCloseMs: Math.max(1, dueMs - run.ctx.now()) };
  const input = { run: run.ctx.info.firstRunId, name, ...offer, priority: options.priority ?? DEFAULT_PRIORITY };
  const {
    queue,
    ticket: number,
    outcome,
  } = await run.activity(place, 'submitCandidate', input, { ...of(name, 'submit'), ...scheduleToCloseMs, ...options });
  Object.assign(ticket, { queue, ticket: number });
  run.journal.add({ kind: 'ticket', step: run.name(place.path), event: 'asked', queue, ticket: number, candidate: offer.from.commit });
  it.changed();
  return outcome;
}

function noteOutcome(
  { run }: Interpreter,
  place: Place,
  { from }: Offer,
  { queue = '', ticket = 0 }: AwaitedTicket,
  outcome: TicketOutcome,
): void {
  const entry = { kind: 'ticket', step: run.name(place.path), queue, ticket, candidate: from.commit } as const;
  if (outcome.kind === 'merged') run.journal.add({ ...entry, event: 'merged', result: outcome.result });
  else run.journal.add({ ...entry, event: 'returned', code: outcome.kind, reason: describeReturned(outcome) });
}

async function looked({ run }: Interpreter, place: Place, name: string, ask?: 'ask'): Promise<TicketOutcome | undefined> {
  const input = { run: run.ctx.info.firstRunId, name, ...defined({ ask: ask && (true as const) }) };
  const { outcome } = await run.activity(place, 'candidateOutcome', input, { ...of(name, 'outcome'), ...workerActivityOptions(place) });
  return outcome;
}

function of(name: string, what: string): { address: string; startToCloseMs: number } {
  return { address: `${name}/${what}`, startToCloseMs: SHORT_ACTIVITY_MS };
}
