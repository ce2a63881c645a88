import { AsyncLocalStorage } from 'node:async_hooks';
import { ThermidorFailure } from '../plan/run/failure';
import type { Handovers } from '../records/handovers';
import type { Timer } from './deadline';
import type { Log } from './log';

export interface InFlightOptions {
  log?: Log;
  /** Activities of this worker at once. */
  places?: number;
  timer?: Timer;
  /** Absent: all work is begun, and handovers are not announced. */
  handovers?: Handovers;
}

interface Work {
  run: string;
  /** Step and activity. */
  name: string;
  /** It was asked to end some time ago. */
  isLate?: true;
}

/** When work counts as late: a group of processes gets two seconds. */
const LATE_MS = 15_000;

/** How long until work that is reserved for younger workers is offered again. */
const OFFERED_AGAIN_MS = 1000;

/** Keeps no process from ending. */
const lateTimer: Timer = (ms, ring) => {
  const timer = setTimeout(ring, ms).unref();
  return () => clearTimeout(timer);
};

/**
 * The steps that a worker has in progress: their runs, and how it hands them over when it leaves before they have ended. They then fail
 * with `worker.lost`, which Temporal retries on another worker. A worker that began after this one had to stop comes first
 * (records/handovers.ts). Work that does not end on request keeps its place, perhaps forever. The log names it.
 */
export class InFlight {
  private readonly works = new Map<AbortController, Work>();
  private laidDown: Promise<void> | undefined;

  constructor(private readonly options: InFlightOptions = {}) {}

  /** The runs, each once, by workflow id. */
  runs(): string[] {
    return [...new Set([...this.works.values()].map(({ run }) => run))].sort();
  }

  /** Work that was asked to end and has not, in words. */
  unended(): string[] {
    return [...this.works].flatMap(([{ signal }, work]) => (signal.aborted ? [nameOf(work)] : []));
  }

  /** Its worker begins nothing more: workers that begin from now on are younger. */
  stopping(): void {
    void this.noted(this.options.handovers?.stopping());
  }

  /** Asks current and later work to end and to be handed over. */
  drain(): void {
    if (this.laidDown) return;
    const works = [...this.works.values()].map(nameOf);
    this.laidDown = this.noted(works.length === 0 ? undefined : this.options.handovers?.handOver(works));
    for (const own of this.works.keys()) own.abort(lost());
  }

  /** Fails with `worker.lost` while work that was begun before is reserved for workers that are younger than this one. */
  async leaveToYounger(run: string, name: string): Promise<void> {
    const { handovers } = this.options;
    let isLeft = false;
    await this.noted(
      handovers?.isForYounger(nameOf({ run, name })).then((is) => {
        isLeft = is;
      }),
    );
    if (isLeft) throw lost('it was handed over: for some seconds, only workers that have started since then take it');
  }

  /** Runs work for a run under a signal of its own, which follows the caller's. */
  async during<T>(run: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>, name = 'an activity'): Promise<T> {
    const own = new AbortController();
    const stop = (): void => own.abort(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    const entry: Work = { run, name };
    this.works.set(own, entry);
    let notLate = (): void => undefined;
    // The log names the step in which a line is written; the timer rings in no step.
    const late = AsyncLocalStorage.bind(() => this.noteLate(entry));
    own.signal.addEventListener('abort', () => {
      notLate = (this.options.timer ?? lateTimer)(LATE_MS, late);
    });
    if (signal.aborted) stop();
    else if (this.laidDown) own.abort(lost());
    try {
      return await work(own.signal);
    } catch (error) {
      if (!own.signal.aborted || signal.aborted) throw error;
      // Others must know of it before it is offered to them.
      await this.laidDown;
      // Whatever the work says after it was laid down, that is why it ended.
      throw lost();
    } finally {
      notLate();
      signal.removeEventListener('abort', stop);
      this.works.delete(own);
    }
  }

  /** If the store does not answer, anyone takes the work. */
  private async noted(note: Promise<void> | undefined): Promise<void> {
    await note?.catch((error: unknown) =>
      this.options.log?.('warn', 'the handovers between workers are not known', { problem: String(error) }),
    );
  }

  private noteLate(entry: Work): void {
    const { log, places = Number.POSITIVE_INFINITY } = this.options;
    entry.isLate = true;
    log?.('warn', 'an activity was asked to end and has not ended', { activity: entry.name, workflowId: entry.run });
    const late = [...this.works.values()].filter(({ isLate }) => isLate).length;
    // Work of other queues has places of its own.
    if (late >= places)
      log?.('error', 'activities that do not end take all places of this worker: it may begin nothing more; restart it', {
        late,
        places,
      });
  }
}

/** The name of the work, the same for every worker. */
function nameOf({ run, name }: Pick<Work, 'run' | 'name'>): string {
  return `${name} of ${run}`;
}

function lost(message = 'its worker stopped and handed it over'): ThermidorFailure {
  return new ThermidorFailure('worker.lost', message, undefined, OFFERED_AGAIN_MS);
}
