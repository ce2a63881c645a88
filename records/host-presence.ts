import type { HeardWorker, WorkerSign } from './worker-sign';

/**
 * Which hosts have working workers, over all that share a store.
 *
 * Requires of the store: a date for what is written, by one clock for all its users; and listing by prefix. None of it need survive a crash
 * of the machine, which has no workers then. Fails with `store.unavailable`.
 *
 * Invariants: 1. a host is alive while any of its workers is; 2. no host's clock counts: only times of the store are compared;
 * 3. a worker that stops in order is gone at once, one that was killed after a while.
 */
export interface HostPresence {
  /** Gives signs of life until it is stopped. The first is given when this returns. @param says asked for each sign */
  announce(host: string, says?: SaysOfItself): Promise<StopAnnouncing>;
  isAlive(host: string): Promise<boolean>;
  /** The last sign of each worker that has a name, also of workers that were killed a while ago. */
  workers(): Promise<HeardWorker[]>;
}
export type StopAnnouncing = () => Promise<void>;
export type SaysOfItself = () => Promise<WorkerSign>;

export interface PresenceTimes {
  /** @default 20000 */
  deadAfterMs?: number;
  /** @default a fifth of `deadAfterMs` */
  everyMs?: number;
}

/** Called once for each time that signs of life fail, and not for each sign. */
export type Unheard = (host: string, problem: unknown) => void;

/** The times that hold if none are set, and after which the remains of a killed worker are of no use to anybody. */
export function presenceTimes({
  deadAfterMs = DEAD_AFTER_MS,
  everyMs = deadAfterMs / SIGNS_A_LIFE,
}: PresenceTimes = {}): Required<PresenceTimes> & { forgottenAfterMs: number } {
  return { deadAfterMs, everyMs, forgottenAfterMs: deadAfterMs * LIVES_REMEMBERED };
}

const DEAD_AFTER_MS = 20_000;
const SIGNS_A_LIFE = 5;
/** Long enough to see in the store who has died, and so short that workers that die again and again leave a few. */
const LIVES_REMEMBERED = 30;
