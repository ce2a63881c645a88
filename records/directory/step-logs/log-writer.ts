import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { errorCode } from '../../../plan/error-code';
import { STATE_FILE_MODE } from '../../../plan/run/state-file-modes';
import type { LogLine, LogOptions, LogWriter } from '../../step-logs';
import { isTorn } from '../log-lines';
import { lineText } from './line-text';
import { closeSegments, endOf, HEAD_BYTES, openSegments, positionLine, segmentPaths, TAIL_BYTES } from './segments';

/** How much may wait for the disk; anything beyond that is left out. */
const WAITING_CHARACTERS = 1024 * 1024;
/** The limit of one write. */
const BATCH_CHARACTERS = 256 * 1024;
/** How long a call waits at its end for a disk that does not answer. */
const CLOSE_MS = 1000;

export interface WriterRequest extends LogOptions {
  path: string;
  /** The name of the call, for the log's first line. */
  name: string;
  /** Makes the folder that it is in. */
  makeFolder(): Promise<void>;
  /** @default HEAD_BYTES, TAIL_BYTES */
  limits?: { headBytes: number; tailBytes: number };
}

/**
 * Writes lines as they come; those that come during a write follow with the next.
 *
 * Invariants: 1. none of its promises rejects, and `add` returns at once; 2. waiting text is bounded; 3. a write is whole lines, appended,
 * so it never mixes with another process's; 4. after the first file system error nothing more is written.
 */
export function logWriter(request: WriterRequest): LogWriter {
  let waiting: string[] = [];
  let waitingCharacters = 0;
  let [leftOutBytes, leftOutAt] = [0, ''];
  let firstAt = '';
  let file: OpenLog | undefined;
  let work: Promise<void> | undefined;
  let [isDraining, isBroken] = [false, false];

  async function drain(): Promise<void> {
    try {
      file ??= await openLog(request, firstAt);
      while (waiting.length > 0 || leftOutBytes > 0) {
        if (leftOutBytes > 0 && waiting.length === 0) push(leftOutLine());
        await file.append(takeBatch());
      }
    } catch (error) {
      isBroken = true;
      waiting = [];
      request.trouble(error instanceof Error ? (errorCode(error) ?? error.message) : String(error));
    } finally {
      // Set in the same turn as the last check for waiting lines: an `add` after it starts again.
      isDraining = false;
    }
  }

  function leftOutLine(): string {
    const text = `${leftOutBytes} bytes left out here: they came faster than the disk takes them`;
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

  return {
    get isBehind() {
      return waitingCharacters > WAITING_CHARACTERS;
    },
    add(lines: readonly LogLine[]) {
      if (isBroken || lines.length === 0) return;
      firstAt ||= lines[0]?.at ?? '';
      if (leftOutBytes > 0) push(leftOutLine());
      push(lines.map(lineText).join(''));
      start();
    },
    leftOut(bytes) {
      leftOutAt = new Date().toISOString();
      firstAt ||= leftOutAt;
      leftOutBytes += bytes;
    },
    async close() {
      if (leftOutBytes > 0 && !isBroken) start();
      // A disk that answers later than that finds the file closed after its waiting lines.
      const closed = Promise.resolve(work).then(() => file?.close());
      await within(CLOSE_MS, closed);
    },
  };
}

interface OpenLog {
  append(text: string): Promise<void>;
  close(): Promise<void>;
}

/** @param at the time of its first line, so that the lines of a log are in the order of their times */
async function openLog({ path, name, attempt, makeFolder, limits }: WriterRequest, at: string): Promise<OpenLog> {
  const { headBytes, tailBytes } = limits ?? { headBytes: HEAD_BYTES, tailBytes: TAIL_BYTES };
  const { head, older, newer } = segmentPaths(path);
  await makeFolder();
  const there = await openSegments(path);
  const last = there.at(-1);
  /** The position of the next write, and the current length of its file. */
  let end = last ? endOf(last) : 0;
  let isHead = last === undefined || last.path === head;
  let sizeBytes = last?.sizeBytes ?? 0;
  await closeSegments(there);
  // An older file without a successor, as a crash between two renames leaves it.
  if (last?.path === older) await rename(older, newer);
  let handle: FileHandle = await openFor(isHead ? head : newer);
  const write = async (text: string, counts: boolean): Promise<void> => {
    const bytes = Buffer.from(text);
    await handle.appendFile(bytes);
    sizeBytes += bytes.byteLength;
    if (counts) end += bytes.byteLength;
  };
  const rotate = async (): Promise<void> => {
    await handle.close();
    // A file that a crash left without its first line would never be read.
    if (isHead) await rm(newer, { force: true });
    else await rename(newer, older);
    isHead = false;
    handle = await openFor(newer);
    sizeBytes = 0;
    await write(positionLine(at, end), false);
  };
  try {
    if (sizeBytes > 0 && isTorn(handle.fd, sizeBytes)) await write('\n', true);
    const text = sizeBytes === 0 ? `log of ${name}` : `goes on, attempt ${attempt}`;
    await write(lineText({ at, from: 'note', text }), true);
  } catch (error) {
    await handle.close();
    throw error;
  }
  return {
    async append(text) {
      if (sizeBytes + Buffer.byteLength(text) > (isHead ? headBytes : tailBytes)) await rotate();
      await write(text, true);
    },
    close: () => handle.close(),
  };
}

function openFor(path: string): Promise<FileHandle> {
  return open(path, 'a+', STATE_FILE_MODE);
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
