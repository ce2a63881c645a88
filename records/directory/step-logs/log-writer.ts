import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { STATE_FILE_MODE } from '../../../plan/run/state-file-modes';
import { lineText } from '../../logs/line-text';
import { HEAD_BYTES, type LogSink, queuedLogWriter, TAIL_BYTES } from '../../logs/queued-log-writer';
import type { LogOptions, LogWriter } from '../../step-logs';
import { isTorn } from '../log-lines';
import { closeSegments, endOf, openSegments, positionLine, segmentPaths } from './segments';

export interface WriterRequest extends LogOptions {
  path: string;
  /** The name of the call, for the log's first line. */
  name: string;
  /** Makes the folder that it is in. */
  makeFolder(): Promise<void>;
  /** @default HEAD_BYTES, TAIL_BYTES */
  limits?: { headBytes: number; tailBytes: number };
}

/** A write is appended whole, so it never mixes with another process's. */
export function logWriter(request: WriterRequest): LogWriter {
  return queuedLogWriter({ trouble: request.trouble, open: (firstAt) => openLog(request, firstAt) });
}

/** @param at the time of its first line, so that the lines of a log are in the order of their times */
async function openLog({ path, name, attempt, makeFolder, limits }: WriterRequest, at: string): Promise<LogSink> {
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
