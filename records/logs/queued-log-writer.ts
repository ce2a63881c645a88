import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from '../../plan/error-code';
import type { LogLine, LogOptions, LogWriter } from '../step-logs';
import { lineText } from './line-text';

/** The limit of a log's beginning, which is kept. */
export const HEAD_BYTES = 8 * 1024 * 1024;
/** At least so much of the end is kept, and at most twice as much. */
export const TAIL_BYTES = 4 * 1024 * 1024;

/** How much may wait for the store; anything beyond that is left out. */
const WAITING_CHARACTERS = 1024 * 1024;
/** The limit of one write. */
const BATCH_CHARACTERS = 256 * 1024;
/** How long a call waits at its end for a store that does not answer. */
const CLOSE_MS = 1000;

/** Where lines are kept. */
export interface LogSink {
  /** @param text whole lines */
  append(text: string): Promise<void>;
  close(): Promise<void>;
}

interface Queue extends Pick<LogOptions, 'trouble'> {
  /** @param firstAt the time of the first line; @param closing is aborted when no more lines will come */
  open(firstAt: string, closing: AbortSignal): Promise<LogSink>;
  /** Lines that come so soon after a write are written together. @default 0 */
  gatherMs?: number;
}

/**
 * Writes lines as they come; those that come during a write follow with the next.
 *
 * Invariants: 1. none of its promises rejects, and `add` returns at once; 2. waiting text is bounded; 3. a write is whole lines; 4. after
 * the sink's first failure nothing more is written.
 */
export function queuedLogWriter({ trouble, open, gatherMs = 0 }: Queue): LogWriter {
  const closing = new AbortController();
  let waiting: string[] = [];
  let waitingCharacters = 0;
  let [leftOutBytes, leftOutAt] = [0, ''];
  let firstAt = '';
  let sink: LogSink | undefined;
  let work: Promise<void> | undefined;
  let [isDraining, isBroken] = [false, false];

  async function drain(): Promise<void> {
    try {
      sink ??= await open(firstAt, closing.signal);
      while (waiting.length > 0 || leftOutBytes > 0) {
        if (leftOutBytes > 0 && waiting.length === 0) push(leftOutLine());
        await sink.append(takeBatch());
        if (gatherMs > 0) await sleep(gatherMs, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
      }
    } catch (error) {
      isBroken = true;
      waiting = [];
      waitingCharacters = 0;
      trouble(error instanceof Error ? (errorCode(error) ?? error.message) : String(error));
    } finally {
      // Set in the same turn as the last check for waiting lines: an `add` after it starts again.
      isDraining = false;
    }
  }

  function leftOutLine(): string {
    const text = `${leftOutBytes} bytes left out here: they came faster than the store takes them`;
    leftOutBytes = 0;
    return lineText({ at: leftOutAt, from: 'note', text });
  }

  function takeBatch(): string {
    let batch = '';
    let taken = 0;
    while (taken < waiting.length && batch.length < BATCH_CHARACTERS) batch += waiting[taken++] ?? '';
    waiting.splice(0, taken);
    waitingCharacters -= batch.length;
    return batch;
  }

  function push(text: string): void {
    waiting.push(text);
    waitingCharacters += text.length;
  }

  function start(): void {
    if (isDraining) return;
    isDraining = true;
    work = drain();
  }

  function leaveOut(bytes: number): void {
    leftOutAt = new Date().toISOString();
    firstAt ||= leftOutAt;
    leftOutBytes += bytes;
  }

  return {
    get isBehind() {
      return waitingCharacters > WAITING_CHARACTERS;
    },
    add(lines: readonly LogLine[]) {
      if (isBroken || lines.length === 0) return;
      firstAt ||= lines[0]?.at ?? '';
      const text = lines.map(lineText).join('');
      // A caller that looks at `isBehind` adds little more.
      if (waitingCharacters > 2 * WAITING_CHARACTERS) return leaveOut(Buffer.byteLength(text));
      if (leftOutBytes > 0) push(leftOutLine());
      push(text);
      start();
    },
    leftOut: leaveOut,
    async close() {
      closing.abort();
      if (leftOutBytes > 0 && !isBroken) start();
      // A store that answers later than that finds the sink closed after its waiting lines.
      const closed = Promise.resolve(work).then(() => sink?.close());
      await within(CLOSE_MS, closed);
    },
  };
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  // A line that cannot be written stops no work.
  await Promise.race([work.catch(() => undefined), late]);
  clearTimeout(timer);
}
