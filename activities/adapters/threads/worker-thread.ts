import { Worker } from 'node:worker_threads';

const THREAD_MIB = 256;
/** How many run at once in this process; others wait their turn. */
const MOST_THREADS = 2;

let running = 0;
const waiting: (() => void)[] = [];

export interface ThreadOptions {
  /** Text, because a thread needs a file or a text, and no file of ours is found under the same name by all that run this. */
  script: string;
  workerData: unknown;
  /** The limit of all questions together. */
  timeoutMs: number;
  signal?: AbortSignal;
  /** The failure of a question if the thread breaks off. */
  brokeOff(error: Error): Error;
}

/**
 * A thread that answers one question after the other: work on outsiders' text that could block the worker's own.
 *
 * Invariants: 1. it works for at most the timeout in all; 2. it has ended when `end` resolves, and ends when the signal is aborted.
 */
export class WorkerThread<Question, Answer> {
  private readonly worker: Worker;
  private readonly alarm: NodeJS.Timeout;
  private readonly onAbort: () => void;
  private over = false;
  private settle: ((outcome: { answer?: Answer; error?: unknown }) => void) | undefined;

  /** Waits until there is room for one more. The caller must end it. */
  static async start<Question, Answer>(options: ThreadOptions): Promise<WorkerThread<Question, Answer>> {
    const { signal } = options;
    while (running >= MOST_THREADS) {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        signal?.addEventListener('abort', () => resolve(), { once: true });
      });
      signal?.throwIfAborted();
    }
    running += 1;
    return new WorkerThread(options);
  }

  private constructor(private readonly options: ThreadOptions) {
    const { script, workerData, timeoutMs, signal, brokeOff } = options;
    // The thread gets nothing of this process: neither environment, nor standard input, nor loaders.
    this.worker = new Worker(script, {
      ...{ eval: true, workerData, env: {}, execArgv: [] },
      resourceLimits: { maxOldGenerationSizeMb: THREAD_MIB },
    });
    this.worker.on('message', (answer: Answer) => this.settle?.({ answer }));
    this.worker.on('error', (error) => this.stop({ error: brokeOff(error) }));
    this.alarm = setTimeout(() => this.stop({}), timeoutMs);
    this.onAbort = () => this.stop({ error: signal?.reason });
    signal?.addEventListener('abort', this.onAbort, { once: true });
  }

  /** Undefined if it took too long; then it answers nothing more. */
  async ask(question: Question): Promise<Answer | undefined> {
    this.options.signal?.throwIfAborted();
    if (this.over) return undefined;
    const { answer, error } = await new Promise<{ answer?: Answer; error?: unknown }>((resolve) => {
      this.settle = resolve;
      this.worker.postMessage(question);
    });
    if (error !== undefined) throw error;
    return answer;
  }

  async end(): Promise<void> {
    this.over = true;
    clearTimeout(this.alarm);
    this.options.signal?.removeEventListener('abort', this.onAbort);
    await this.worker.terminate();
    running -= 1;
    for (const wake of waiting.splice(0)) wake();
  }

  private stop(outcome: { error?: unknown }): void {
    this.over = true;
    this.settle?.(outcome);
    void this.worker.terminate();
  }
}
