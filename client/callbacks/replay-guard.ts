import { CallbackRefused } from './refusal';

/** What an honest sender's clock may be wrong by, and what its message may be late by. */
const WINDOW_MS = 5 * 60_000;
const MOST_SEEN = 50_000;

/**
 * Takes each signed message once, within five minutes of when it says it was signed.
 *
 * Invariants: 1. only what proved to be signed is remembered, so that nobody without a key can fill the table; 2. what is
 * remembered stays for as long as its time is within the window. What outlives a restart here meets the run itself, where a
 * second decision of the same person changes nothing.
 */
export class ReplayGuard {
  private readonly seen = new Map<string, number>();

  constructor(
    private readonly now: () => number,
    private readonly mostSeen = MOST_SEEN,
  ) {}

  /** Seconds since 1970, as text. Throws `CallbackRefused` 401 where it is no time, or not of now. */
  checkTime(timestamp: string): void {
    const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
    if (Number.isNaN(seconds)) throw new CallbackRefused(401, 'the signature has no time');
    if (Math.abs(this.now() - seconds * 1000) > WINDOW_MS)
      throw new CallbackRefused(401, 'the message was signed too long ago, or the clocks differ');
  }

  /** Throws `CallbackRefused` 409 where it was taken before, 503 where no more can be remembered. */
  take(id: string): void {
    this.sweep();
    if (this.seen.has(id)) throw new CallbackRefused(409, 'this very message was taken before');
    if (this.seen.size >= this.mostSeen) throw new CallbackRefused(503, 'too many messages within five minutes; try again later', 60);
    this.seen.set(id, this.now() + 2 * WINDOW_MS);
  }

  /** It came to nothing through no fault of its sender, who may send it again. */
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
