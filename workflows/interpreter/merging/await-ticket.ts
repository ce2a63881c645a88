import type { AwaitedTicket } from '../../../plan/queue/landing';
import { ThermidorFailure } from '../../../plan/run/failure';
import type { Interpreter } from '../interpreter';
import { type Place, placeLabel } from '../scheduling/place';
import { ticketWakeKey } from './open-tickets';

/** The longest silence: each is twice the previous one. */
const MOST_SILENCE_MS = 30 * 60_000;
/** The pause after a false wake before the next look: anybody may send one. */
const FALSE_WAKE_MS = 5000;

const MORE_SILENCE = 2;

export interface Awaiting<T> {
  /** The name of the ticket in the run's state. */
  name: string;
  /** `ask`: after a silence the queue or the team is asked again, because what it was sent may have found nobody. */
  look(ask?: 'ask'): Promise<T | undefined>;
  /** In milliseconds since the epoch. */
  dueMs?: number | undefined;
  /** The first silence. */
  silenceMs: number;
  /** What is missing at `dueMs`: the message of the failure. */
  missing(): string;
}

/** Waits until a look finds what it looks for: at each wake and after each silence. Fails with `step.timeout`. */
export async function awaitTicket<T>(it: Interpreter, place: Place, ticket: AwaitedTicket, awaiting: Awaiting<T>): Promise<T> {
  const { run } = it;
  const { name, look, dueMs = Number.POSITIVE_INFINITY, missing } = awaiting;
  let { silenceMs } = awaiting;
  for (;;) {
    run.drainIfDue();
    const silentUntil = Math.min(run.ctx.now() + silenceMs, dueMs);
    const isSilent = !ticket.woken && (await run.until(silentUntil, placeLabel(place), ticketWakeKey(name)));
    delete ticket.woken;
    const { ticket: number } = ticket;
    const found = await look(isSilent ? 'ask' : undefined);
    if (found !== undefined) return found;
    if (run.ctx.now() >= dueMs) throw new ThermidorFailure('step.timeout', missing());
    if (isSilent) silenceMs = Math.min(silenceMs * MORE_SILENCE, MOST_SILENCE_MS);
    // A number that was not known before is what the wake was for, and the next one may follow at once.
    else if (ticket.ticket === number) await run.until(run.ctx.now() + FALSE_WAKE_MS, placeLabel(place));
  }
}
