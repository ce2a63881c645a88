import type { NotApplied } from '../inbound/planned-command';
import type { Run } from '../run';
import { type Deferred, deferred } from '../scheduling/deferred';

/**
 * Answers that an activity must check first, of which anybody can send any number: some are checked at once, more wait for their
 * turn, and beyond that they are refused. So a flood neither fills the run's history with activities nor its memory.
 */
const AT_ONCE = 8;
const WAITING = 4096;

interface ProofChecks {
  busy: number;
  queue: Deferred<void>[];
}

const checksOf = new WeakMap<Run, ProofChecks>();

/** Undefined: it may be checked now. A check that is over frees its place. */
export function waitForProofTurn(run: Run): Deferred<void> | NotApplied | undefined {
  const checks = checksOf.get(run) ?? { busy: 0, queue: [] };
  checksOf.set(run, checks);
  if (checks.busy < AT_ONCE) {
    checks.busy += 1;
    return undefined;
  }
  if (checks.queue.length >= WAITING) {
    return { outcome: 'refused', reason: `${AT_ONCE + WAITING} answers are being checked already: send it again later` };
  }
  const turn = deferred<void>();
  checks.queue.push(turn);
  return turn;
}

export function endProofTurn(run: Run): void {
  const checks = checksOf.get(run);
  if (!checks) return;
  const next = checks.queue.shift();
  // The next one takes its place.
  if (next) next.resolve();
  else checks.busy -= 1;
}
