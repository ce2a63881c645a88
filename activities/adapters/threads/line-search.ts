import { ThermidorFailure } from '../../../plan/run/failure';
import { type LineSearch, type OpenSearch, type SearchedLine, ToolRefusal } from '../../tool-ports';
import { WorkerThread } from './worker-thread';

const MOST_PATTERN = 1000;
/** The limit of a reported line. */
const LINE_CHARACTERS = 400;
const TIMEOUT_MS = 15_000;

interface Asked {
  text: string;
  most: number;
  context: number;
}

/**
 * Searches lines in a thread of its own (`threads/worker-thread.ts`): an expression that takes forever (`(a+)+$`) blocks only that thread.
 *
 * Invariants: 1. an agent's expression never runs in the worker's own thread; 2. one search takes at most the timeout in all; 3. its thread
 * has ended when `close` resolves, and ends when the signal is aborted.
 */
export class ThreadLineSearch implements LineSearch {
  constructor(private readonly timeoutMs = TIMEOUT_MS) {}

  open({ pattern, ignoreCase }: { pattern: string; ignoreCase: boolean }, signal: AbortSignal): OpenSearch {
    const workerData = readExpression(pattern, ignoreCase);
    let thread: Promise<WorkerThread<Asked, SearchedLine[]>> | undefined;
    const brokeOff = ({ message }: Error) => new ThermidorFailure('tool.failed', `the search broke off: ${message}`);
    const start = () =>
      WorkerThread.start<Asked, SearchedLine[]>({ script: THREAD, workerData, timeoutMs: this.timeoutMs, signal, brokeOff });
    return {
      lines: async (text, options) => {
        thread ??= start();
        return await (await thread).ask({ text, ...options });
      },
      close: async () => {
        // If it did not start, the search has failed already.
        const started = await thread?.catch(() => undefined);
        await started?.end();
      },
    };
  }
}

/** JavaScript's own expressions; a leading `(?i)`, as other languages write it, is understood. */
function readExpression(pattern: string, ignoreCase: boolean): { source: string; flags: string } {
  if (pattern.length > MOST_PATTERN) throw new ToolRefusal(`a pattern may have at most ${MOST_PATTERN} characters`);
  const inline = /^\(\?i\)/.test(pattern);
  const source = inline ? pattern.slice(4) : pattern;
  const flags = `${ignoreCase || inline ? 'i' : ''}${/\\p\{/i.test(source) ? 'u' : ''}`;
  try {
    new RegExp(source, flags);
    return { source, flags };
  } catch (error) {
    throw new ToolRefusal(`the pattern is not a regular expression: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const THREAD = `
const { parentPort, workerData } = require('node:worker_threads');
const MOST = ${LINE_CHARACTERS};
const expression = new RegExp(workerData.source, workerData.flags);
parentPort.on('message', ({ text, most, context }) => {
  const lines = text.split(/\\r?\\n/);
  if (lines[lines.length - 1] === '') lines.pop();
  const chosen = new Map();
  const starts = new Map();
  let hits = 0;
  for (let i = 0; i < lines.length && hits < most; i += 1) {
    const found = expression.exec(lines[i]);
    if (!found) continue;
    hits += 1;
    starts.set(i, found.index);
    for (let k = Math.max(0, i - context); k <= Math.min(lines.length - 1, i + context); k += 1) chosen.set(k, chosen.get(k) || k === i);
  }
  const shown = (i) => {
    const line = lines[i];
    if (line.length <= MOST) return line;
    const from = Math.max(0, Math.min((starts.get(i) || 0) - 100, line.length - MOST));
    return (from > 0 ? '… ' : '') + line.slice(from, from + MOST) + ' … [a line of ' + line.length + ' characters]';
  };
  parentPort.postMessage([...chosen].sort((a, b) => a[0] - b[0]).map(([k, hit]) => ({ line: k + 1, text: shown(k), hit })));
});`;
