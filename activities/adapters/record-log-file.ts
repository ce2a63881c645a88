import { close, closeSync, fstatSync, fsync, openSync, readSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { ThermidorFailure } from '../../plan/failure';
import { field, type Json } from '../../plan/json';
import { STATE_FILE_MODE } from '../../plan/state-modes';
import type { RecordLog } from '../ports';
import { syncFolder } from './durable-file';
import { errorCode } from './error-code';
import { isTorn, TORN, wholeLines } from './log-lines';

/**
 * A record log on a file: a line `{name, value}` for each record; of several with one name the first counts.
 *
 * Invariants: 1. a line is one write on a file opened for appending, so it is whole or torn, and never mixed with another
 * process's; 2. after a write this process knows every line before its own, so all answer with the same record; 3. a line torn
 * by a crash is no record. Calls block for the time of one write, which is shorter than handing it to another thread.
 *
 * @param guard turns what the file system refuses into `store.unavailable`
 */
export function openRecordLog(path: string, guard: <T>(work: () => Promise<T>) => Promise<T>): RecordLog {
  const fd = openSync(path, 'a+', STATE_FILE_MODE);
  const records = new Map<string, Json>();
  let known = 0;
  /** Takes in what the file has beyond what is known. */
  const catchUp = (): void => {
    const { size } = fstatSync(fd);
    if (size === known) return;
    const bytes = Buffer.alloc(size - known);
    readSync(fd, bytes, 0, bytes.byteLength, known);
    const whole = bytes.subarray(0, bytes.lastIndexOf('\n') + 1);
    for (const line of wholeLines(whole.toString('utf8'))) {
      const [name, value] = [field(line, 'name'), field(line, 'value')];
      if (typeof name === 'string' && value !== undefined && !records.has(name)) records.set(name, value);
    }
    known += whole.byteLength;
  };
  try {
    catchUp();
  } catch (error) {
    closeSync(fd);
    throw error;
  }
  return {
    get: (name) => records.get(name),
    putIfAbsent(name, value) {
      const before = records.get(name);
      if (before !== undefined) return before;
      try {
        const { size } = fstatSync(fd);
        const bytes = Buffer.from(`${size > known && isTorn(fd, size) ? TORN : ''}${JSON.stringify({ name, value })}\n`);
        if (writeSync(fd, bytes) < bytes.byteLength) throw Object.assign(new Error('short write'), { code: 'ENOSPC' });
        catchUp();
      } catch (error) {
        throw refused(path, error);
      }
      return records.get(name) ?? value;
    },
    async close() {
      try {
        await guard(async () => {
          await promisify(fsync)(fd);
          await syncFolder(dirname(path));
        });
      } finally {
        await promisify(close)(fd);
      }
    },
  };
}

function refused(path: string, error: unknown): unknown {
  const reason = errorCode(error);
  if (reason === undefined) return error;
  return new ThermidorFailure('store.unavailable', `the ledger's log ${path} cannot be written: ${reason}`, { path, reason });
}
