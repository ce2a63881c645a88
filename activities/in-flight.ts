import { ThermidorFailure } from '../plan/run/failure';

/**
 * The steps that a worker has in progress: of which runs they are, and how it lays them down when it leaves before they have ended. They
 * fail then with `worker.lost`, which Temporal retries at another worker.
 */
export class InFlight {
  private readonly works = new Map<AbortController, string>();
  private laidDown = false;

  /** The runs, each once, by workflow id. */
  runs(): string[] {
    return [...new Set(this.works.values())].sort();
  }

  /** Work in progress, and work that may still come, is asked to end and to be handed over. */
  drain(): void {
    this.laidDown = true;
    for (const own of this.works.keys()) own.abort(lost());
  }

  /** Work for a run under a signal of its own, which follows the caller's. */
  async during<T>(run: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const own = new AbortController();
    const stop = (): void => own.abort(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    this.works.set(own, run);
    if (signal.aborted) stop();
    else if (this.laidDown) own.abort(lost());
    try {
      return await work(own.signal);
    } catch (error) {
      // Whatever the work says after it was laid down, that is why it ended.
      throw own.signal.aborted && !signal.aborted ? lost() : error;
    } finally {
      signal.removeEventListener('abort', stop);
      this.works.delete(own);
    }
  }
}

function lost(): ThermidorFailure {
  return new ThermidorFailure('worker.lost', 'its worker stopped and handed it over');
}
