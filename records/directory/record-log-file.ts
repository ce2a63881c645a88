import { randomUUID } from 'node:crypto';
import { close, closeSync, fstatSync, fsync, openSync, readSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { defined } from '../../plan/defined';
import { errorCode } from '../../plan/error-code';
import { ThermidorFailure } from '../../plan/run/failure';
import { STATE_FILE_MODE } from '../../plan/run/state-file-modes';
import type { Json } from '../../plan/text/json';
import { jsonText } from '../../plan/text/json-text';
import type { RecordLog } from '../ledger';
import { isSupersededClaim } from '../log-writer-claims';
import { RecordLines } from '../record-lines';
import { syncEntry } from './durable-file';
import { isTorn, TORN_LINE, wholeLines } from './log-lines';

/**
 * A record log in a file; `record-lines.ts` defines the meaning of its lines.
 *
 * Invariants: 1. a line is one write on a file opened for appending, so it is complete or torn, and never mixed with another process's; 2.
 * after a write this process knows every line before its own, so all agree on the record; 3. a line torn by a crash is no record. A call
 * blocks for the time of one write, which is shorter than passing it to another thread.
 *
 * @param guard turns file system errors into `store.unavailable`
 */
export function openRecordLog(path: string, guard: <T>(work: () => Promise<T>) => Promise<T>): RecordLog {
  const fd = openSync(path, 'a+', STATE_FILE_MODE);
  const writer = randomUUID().slice(0, 8);
  const records = new RecordLines();
  let known = 0;
  let isSynced = true;
  /** Reads the lines that are not known yet. */
  const catchUp = (): void => {
    const { size } = fstatSync(fd);
    if (size === known) return;
    const bytes = Buffer.alloc(size - known);
    readSync(fd, bytes, 0, bytes.byteLength, known);
    const whole = bytes.subarray(0, bytes.lastIndexOf('\n') + 1);
    for (const line of wholeLines(whole.toString('utf8'))) records.take(line);
    known += whole.byteLength;
  };
  const write = (line: Json): void => {
    try {
      const { size } = fstatSync(fd);
      const bytes = Buffer.from(`${size > known && isTorn(fd, size) ? TORN_LINE : ''}${jsonText(line)}\n`);
      if (writeSync(fd, bytes) < bytes.byteLength) throw Object.assign(new Error('short write'), { code: 'ENOSPC' });
      catchUp();
    } catch (error) {
      throw refused(path, error);
    }
  };
  // An intent means nothing after a restart of the machine: its work has ended too.
  const sync = (): Promise<void> =>
    guard(async () => {
      if (isSynced) return;
      isSynced = true;
      try {
        await promisify(fsync)(fd);
        await syncEntry(path, fstatSync(fd));
      } catch (error) {
        isSynced = false;
        throw error;
      }
    });
  try {
    catchUp();
  } catch (error) {
    closeSync(fd);
    throw error;
  }
  return {
    get: (name) => records.get(name),
    async putIfAbsent(name, value) {
      const before = records.get(name);
      if (before !== undefined) return before;
      isSynced = false;
      write({ name, value, by: writer });
      const kept = records.get(name);
      if (kept === undefined) throw isSupersededClaim(name);
      return kept;
    },
    claim: async (names, scheduledAtMs) => write({ claim: writer, names: [...names], ...defined({ scheduledAtMs }) }),
    async begin(name) {
      catchUp();
      const before = records.hasBegun(name);
      write({ name, begun: writer, at: Date.now() });
      if (records.writerOf(name) !== writer) throw isSupersededClaim(name);
      return before;
    },
    begins: (name) => records.begins(name),
    sync,
    async close() {
      try {
        await sync();
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
