import { Worker } from 'node:worker_threads';
import { ThermidorFailure } from '../../plan/failure';
import { type LineSearch, type OpenSearch, Refusal, type SearchedLine } from '../tool-ports';

const MOST_PATTERN = 1000;
/** Of a line, as it is told. */
const LINE_CHARACTERS = 400;
const TIMEOUT_MS = 15_000;
const THREAD_MIB = 128;
/** At once in this process; others wait their turn. */
const MOST_THREADS = 2;

/**
 * Searches lines in a thread of its own: an expression that takes for ever (`(a+)+$`) takes that thread with it, and nothing else.
 *
 * Invariants: 1. no expression of an agent's is ever run where the worker's own work is done; 2. one search takes at most the
 * time-out in all; 3. its thread has ended when `close` resolves, and ends when the signal is aborted.
 */
export class ThreadSearch implements LineSearch {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly timeoutMs = TIMEOUT_MS) {}

  open({ pattern, ignoreCase }: { pattern: string; ignoreCase: boolean }, signal: AbortSignal): OpenSearch {
    const expression = readExpression(pattern, ignoreCase);
    let thread: Promise<SearchThread> | undefined;
    const start = async () => {
      await this.turn(signal);
      return new SearchThread(expression, this.timeoutMs, signal);
    };
    return {
      lines: async (text, options) => {
        thread ??= start();
        return await (await thread).lines(text, options);
      },
      close: async () => {
        const started = await thread?.catch(() => undefined);
        if (!started) return;
        await started.end();
        this.running -= 1;
        for (const wake of this.waiting.splice(0)) wake();
      },
    };
  }

  private async turn(signal: AbortSignal): Promise<void> {
    while (this.running >= MOST_THREADS) {
      await new Promise<void>((resolve) => {
        this.waiting.push(resolve);
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
      signal.throwIfAborted();
    }
    this.running += 1;
  }
}

/** JavaScript's own expressions; a leading `(?i)`, as other languages write it, is understood. */
function readExpression(pattern: string, ignoreCase: boolean): { source: string; flags: string } {
  if (pattern.length > MOST_PATTERN) throw new Refusal(`a pattern has at most ${MOST_PATTERN} characters`);
  const inline = /^\(\?i\)/.test(pattern);
  const source = inline ? pattern.slice(4) : pattern;
  const flags = `${ignoreCase || inline ? 'i' : ''}${/\\p\{/i.test(source) ? 'u' : ''}`;
  try {
    new RegExp(source, flags);
    return { source, flags };
  } catch (error) {
    throw new Refusal(`the pattern is no regular expression: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Text, because a thread needs a file or a text, and no file of ours is found under the same name by all that run this. */
const THREAD = `
const { parentPort, workerData } = require('node:worker_threads');
const MOST = ${LINE_CHARACTERS};
const expression = new RegExp(workerData.source, workerData.flags);
parentPort.on('message', ({ text, most, context }) => {
  const lines = text.split(/\\r?\\n/);
  if (lines[lines.length - 1] === '') lines.pop();
  const told = new Map();
  const starts = new Map();
  let hits = 0;
  for (let i = 0; i < lines.length && hits < most; i += 1) {
    const found = expression.exec(lines[i]);
    if (!found) continue;
    hits += 1;
    starts.set(i, found.index);
    for (let k = Math.max(0, i - context); k <= Math.min(lines.length - 1, i + context); k += 1) told.set(k, told.get(k) || k === i);
  }
  const shown = (i) => {
    const line = lines[i];
    if (line.length <= MOST) return line;
    const from = Math.max(0, Math.min((starts.get(i) || 0) - 100, line.length - MOST));
    return (from > 0 ? '… ' : '') + line.slice(from, from + MOST) + ' … [a line of ' + line.length + ' characters]';
  };
  parentPort.postMessage([...told].sort((a, b) => a[0] - b[0]).map(([k, hit]) => ({ line: k + 1, text: shown(k), hit })));
});`;

class SearchThread {
  private readonly worker: Worker;
  private readonly alarm: NodeJS.Timeout;
  private readonly onAbort: () => void;
  private over = false;
  private settle: ((outcome: { lines?: SearchedLine[]; error?: unknown }) => void) | undefined;

  constructor(
    workerData: { source: string; flags: string },
    timeoutMs: number,
    private readonly signal: AbortSignal,
  ) {
    // Nothing of this process is handed on: neither environment, nor standard input, nor loaders.
    this.worker = new Worker(THREAD, {
      ...{ eval: true, workerData, env: {}, execArgv: [] },
      resourceLimits: { maxOldGenerationSizeMb: THREAD_MIB },
    });
    this.worker.on('message', (lines: SearchedLine[]) => this.settle?.({ lines }));
    this.worker.on('error', (error) => this.stop({ error: new ThermidorFailure('tool.failed', `the search broke off: ${error.message}`) }));
    this.alarm = setTimeout(() => this.stop({}), timeoutMs);
    this.onAbort = () => this.stop({ error: signal.reason });
    signal.addEventListener('abort', this.onAbort, { once: true });
  }

  async lines(text: string, options: { most: number; context: number }): Promise<SearchedLine[] | undefined> {
    this.signal.throwIfAborted();
    if (this.over) return undefined;
    const { lines, error } = await new Promise<{ lines?: SearchedLine[]; error?: unknown }>((resolve) => {
      this.settle = resolve;
      this.worker.postMessage({ text, ...options });
    });
    if (error !== undefined) throw error;
    return lines;
  }

  async end(): Promise<void> {
    this.over = true;
    clearTimeout(this.alarm);
    this.signal.removeEventListener('abort', this.onAbort);
    await this.worker.terminate();
  }

  private stop(outcome: { error?: unknown }): void {
    this.over = true;
    this.settle?.(outcome);
    void this.worker.terminate();
  }
}
