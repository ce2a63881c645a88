import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Json } from '../../plan/json';
import { STATE_FILE_MODE } from '../../plan/state-modes';
import { makeFolder, syncFolder } from './durable-file';
import { isTorn, TORN } from './log-lines';

/** Adds a line to a log that others may write to as well. Durable when it returns. */
export async function appendLine(path: string, line: Json): Promise<void> {
  await writing(path, async (handle, sizeBytes) => {
    await write(handle, sizeBytes, line);
    await handle.sync();
    if (sizeBytes === 0) await syncFolder(dirname(path));
  });
}

/** The same for a line that a crash of the machine may cost. Answers with how long the log was before. */
export async function noteLine(path: string, line: Json): Promise<number> {
  return await writing(path, async (handle, sizeBytes) => {
    await write(handle, sizeBytes, line);
    return sizeBytes;
  });
}

async function writing<T>(path: string, work: (handle: FileHandle, sizeBytes: number) => Promise<T>): Promise<T> {
  await makeFolder(dirname(path));
  const handle = await open(path, 'a+', STATE_FILE_MODE);
  try {
    return await work(handle, (await handle.stat()).size);
  } finally {
    await handle.close();
  }
}

async function write(handle: FileHandle, sizeBytes: number, line: Json): Promise<void> {
  const bytes = Buffer.from(`${isTorn(handle.fd, sizeBytes) ? TORN : ''}${JSON.stringify(line)}\n`);
  const { bytesWritten } = await handle.write(bytes);
  if (bytesWritten < bytes.byteLength) throw Object.assign(new Error('short write'), { code: 'ENOSPC' });
}
