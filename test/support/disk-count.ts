import fs from 'node:fs';
import { open } from 'node:fs/promises';

/** The requests to the file system. */
export interface DiskCount {
  /** Files and folders made durable. */
  syncs: number;
  bytesWritten: number;
  bytesRead: number;
}

type FileHandle = Awaited<ReturnType<typeof open>>;

/** Counts the requests of this process to the file system, by file handle or descriptor. No other work may run at the same time. */
export async function countDisk(work: () => Promise<unknown>): Promise<DiskCount> {
  const count: DiskCount = { syncs: 0, bytesWritten: 0, bytesRead: 0 };
  const sample = await open(__filename, 'r');
  const handles: FileHandle = Object.getPrototypeOf(sample);
  await sample.close();
  const undo: (() => void)[] = [];
  const around = <T extends object, K extends keyof T>(of: T, name: K, note: (args: unknown[], result: unknown) => void): void => {
    const before = of[name];
    if (typeof before !== 'function') throw new Error(`${String(name)} is no function`);
    const counted = function (this: unknown, ...args: unknown[]): unknown {
      const result: unknown = Reflect.apply(before, this, args);
      // Promises are recognised by their shape, because under Jest they are of another realm.
      if (isPromise(result)) result.then((value) => note(args, value)).catch(() => undefined);
      else note(args, result);
      return result;
    };
    of[name] = counted as T[K];
    undo.push(() => {
      of[name] = before;
    });
  };
  around(handles, 'sync', () => {
    count.syncs += 1;
  });
  around(handles, 'datasync', () => {
    count.syncs += 1;
  });
  around(handles, 'write', ([bytes]) => {
    count.bytesWritten += sizeOf(bytes);
  });
  around(handles, 'writeFile', ([bytes]) => {
    count.bytesWritten += sizeOf(bytes);
  });
  around(handles, 'read', (_, result) => {
    count.bytesRead += (result as { bytesRead: number }).bytesRead;
  });
  for (const name of ['fsync', 'fsyncSync', 'fdatasync', 'fdatasyncSync'] as const)
    around(fs, name, () => {
      count.syncs += 1;
    });
  around(fs, 'writeSync', ([, bytes]) => {
    count.bytesWritten += sizeOf(bytes);
  });
  around(fs, 'readSync', (_, read) => {
    count.bytesRead += Number(read);
  });
  around(fs.promises, 'readFile', (_, content) => {
    count.bytesRead += sizeOf(content);
  });
  around(fs.promises, 'writeFile', ([, content]) => {
    count.bytesWritten += sizeOf(content);
  });
  try {
    await work();
    return count;
  } finally {
    for (const one of undo) one();
  }
}

function sizeOf(content: unknown): number {
  return typeof content === 'string' || Buffer.isBuffer(content) ? Buffer.byteLength(content) : 0;
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value;
}
