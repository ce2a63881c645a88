import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { STATE_FILE_MODE } from '../../plan/run/state-file-modes';
import type { Json } from '../../plan/text/json';
import { jsonText } from '../../plan/text/json-text';
import { makeFolder, syncEntry } from './durable-file';
import { isTorn, TORN_LINE } from './log-lines';
import type { FileIdentity } from './recent-files';

/** Adds lines in one write to a log that others may write to as well. They, and all earlier lines, are durable when it returns. */
export async function appendLines(path: string, lines: readonly Json[]): Promise<void> {
  await writing(path, async (handle) => {
    await write(handle, lines);
    await sync(path, handle);
  });
}

/** Adds lines that a crash of the machine may cost. */
export async function noteLines(path: string, lines: readonly Json[]): Promise<void> {
  await writing(path, (handle) => write(handle, lines));
}

/** Makes noted lines durable. */
export async function syncLog(path: string): Promise<void> {
  await writing(path, (handle) => sync(path, handle));
}

/** The whole lines after a position in a file, and the file's identity. */
export async function wholeFrom(path: string, from: number): Promise<{ bytes: Buffer; file: FileIdentity & { size: number } }> {
  const handle = await open(path, 'r');
  try {
    const file = await handle.stat();
    const bytes = Buffer.alloc(Math.max(0, file.size - from));
    await handle.read(bytes, 0, bytes.byteLength, from);
    return { bytes: bytes.subarray(0, bytes.lastIndexOf('\n') + 1), file };
  } finally {
    await handle.close();
  }
}

async function writing(path: string, work: (handle: FileHandle) => Promise<void>): Promise<void> {
  await makeFolder(dirname(path));
  const handle = await open(path, 'a+', STATE_FILE_MODE);
  try {
    await work(handle);
  } finally {
    await handle.close();
  }
}

async function write(handle: FileHandle, lines: readonly Json[]): Promise<void> {
  const { size } = await handle.stat();
  const text = lines.map((line) => `${jsonText(line)}\n`).join('');
  const bytes = Buffer.from(`${isTorn(handle.fd, size) ? TORN_LINE : ''}${text}`);
  const { bytesWritten } = await handle.write(bytes);
  if (bytesWritten < bytes.byteLength) throw Object.assign(new Error('short write'), { code: 'ENOSPC' });
}

/** The process that made the file may have died before its entry was durable. */
async function sync(path: string, handle: FileHandle): Promise<void> {
  await handle.sync();
  await syncEntry(path, await handle.stat());
}
