import type { NotApplied } from '../inbound/planned-command';
import type { Run } from '../run';
import { type Deferred, deferred } from '../scheduling/deferred';

/**
 * Answers that an activity must check first, of which anybody can send any number: some are checked at once, more wait for their
 * turn, and beyond that they are refused. So a flood neither fills the run's history with activities nor its memory.
 */
const AT_ONCE = 8;
const WAITING = 4096;

interface Desk {
  busy: number;
  queue: Deferred<void>[];
}

const desks = new WeakMap<Run, Desk>();

/** Undefined: it may be checked now. A check that is over frees its place. */
export function waitForProofTurn(run: Run): Deferred<void> | NotApplied | undefined {
  const desk = desks.get(run) ?? { busy: 0, queue: [] };
  desks.set(run, desk);
  if (desk.busy < AT_ONCE) {
    desk.busy += 1;
    return undefined;
  }
  if (desk.queue.length >= WAITING) {
    return { outcome: 'refused', reason: `${AT_ONCE + WAITING} answers are being checked already: send it again later` };
  }
  const turn = deferred<void>();
  desk.queue.push(turn);
  return turn;
}

export function endProofTurn(run: Run): void {
  const desk = desks.get(run);
  if (!desk) return;
  const next = desk.queue.shift();
  // The place at the desk goes to the next.
  if (next) next.resolve();
  else desk.busy -= 1;
}
