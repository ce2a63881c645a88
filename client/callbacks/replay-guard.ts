import { CallbackRefused } from './refusal';

/** How much an honest sender's clock may be wrong, and its message late. */
const WINDOW_MS = 5 * 60_000;
const MOST_SEEN = 50_000;

/**
 * Accepts each signed message once, within five minutes of its signing time.
 *
 * Invariants: 1. only proven signatures are remembered, so that nobody without a key can fill the table; 2. a message is remembered for as
 * long as its time is within the window. A message that outlives a restart here meets the run itself, where a second decision of the same
 * person changes nothing.
 */
export class ReplayGuard {
  private readonly seen = new Map<string, number>();

  constructor(
    private readonly now: () => number,
    private readonly mostSeen = MOST_SEEN,
  ) {}

  /** Seconds since 1970, as text. Throws `CallbackRefused` 401 if it is no time, or not a current one. */
  checkTime(timestamp: string, windowMs = WINDOW_MS): void {
    const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
    if (Number.isNaN(seconds)) throw new CallbackRefused(401, 'the signature has no time');
    if (Math.abs(this.now() - seconds * 1000) > windowMs)
      throw new CallbackRefused(401, 'the message was signed too long ago, or the clocks differ');
  }

  /** Throws `CallbackRefused` 409 if it was accepted before, 503 if no more can be remembered. */
  take(id: string): void {
    this.sweep();
    if (this.seen.has(id)) throw new CallbackRefused(409, 'this very message was taken before');
    if (this.seen.size >= this.mostSeen) throw new CallbackRefused(503, 'too many messages within five minutes; try again later', 60);
    this.seen.set(id, this.now() + 2 * WINDOW_MS);
  }

  /** Forgets a message that failed through no fault of its sender, who may send it again. */
  forget(id: string): void {
    this.seen.delete(id);
  }

  /** All stay for the same time, so the oldest come first. */
  private sweep(): void {
    const now = this.now();
    for (const [id, until] of this.seen) {
      if (until > now) return;
      this.seen.delete(id);
    }
  }
}
