import type { VirtualClock } from '../../workflows/memory/virtual-clock';

/**
 * Knows whether anything is in progress that does not wait for the virtual clock: as long as something is, time must not pass.
 * Invariant: whatever waits by `sleep` or `forever` is not counted while it waits.
 */
export class PendingWork {
  private busy = 0;
  private idle: (() => void)[] = [];

  private ofRun: VirtualClock | undefined;

  /** The clock is the run's, which exists before anything is measured. */
  on(clock: VirtualClock): this {
    this.ofRun = clock;
    return this;
  }

  private get clock(): VirtualClock {
    if (!this.ofRun) throw new TypeError('there is no clock yet');
    return this.ofRun;
  }

  async measure<T>(work: () => Promise<T>): Promise<T> {
    this.begin();
    try {
      return await work();
    } finally {
      this.end();
    }
  }

  /** Waits in virtual time. Rejects with the signal's reason. */
  sleep(ms: number, signal: AbortSignal): Promise<void> {
    return this.wait(signal, (resolve) => this.clock.after(ms, resolve));
  }

  /** Waits until the signal is aborted, and rejects with its reason. */
  forever(signal: AbortSignal): Promise<never> {
    return this.wait<never>(signal, () => () => undefined);
  }

  /** Rings at its moment of virtual time; nothing waits for it. */
  alarm(ms: number, ring: () => void): () => void {
    return this.clock.after(ms, ring);
  }

  nowMs(): number {
    return this.clock.now();
  }

  get isIdle(): boolean {
    return this.busy <= 0;
  }

  /** Settles once nothing is in progress. */
  async untilIdle(): Promise<void> {
    while (this.busy > 0) await new Promise<void>((resolve) => this.idle.push(resolve));
  }

  private async wait<T = void>(signal: AbortSignal, start: (resolve: (value: T) => void) => () => void): Promise<T> {
    signal.throwIfAborted();
    this.end();
    let stop: () => void = () => undefined;
    let onAbort: () => void = () => undefined;
    try {
      return await new Promise<T>((resolve, reject) => {
        onAbort = () => reject(signal.reason);
        signal.addEventListener('abort', onAbort, { once: true });
        stop = start(resolve);
      });
    } finally {
      this.begin();
      stop();
      signal.removeEventListener('abort', onAbort);
    }
  }

  private begin(): void {
    this.busy += 1;
  }

  private end(): void {
    this.busy -= 1;
    if (this.busy > 0) return;
    for (const resolve of this.idle.splice(0)) resolve();
  }
}
