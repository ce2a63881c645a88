import { randomUUID } from 'node:crypto';
import { defined } from '../../plan/defined';
import type { Json } from '../../plan/text/json';
import type { RecordLog } from '../ledger';
import { isSupersededClaim } from '../log-writer-claims';
import { RecordLines } from '../record-lines';
import type { LogRows } from './log-rows';

/**
 * A record log in rows; `record-lines.ts` defines the meaning of its lines. Each write also reads what others have written before it, so
 * all agree on the record.
 */
export async function openRecordRows(log: LogRows): Promise<RecordLog> {
  const writer = randomUUID().slice(0, 8);
  const records = new RecordLines();
  let known = 0;
  let isSynced = true;
  let last: Promise<unknown> = Promise.resolve();
  const take = (lines: readonly Json[]): void => {
    for (const line of lines) records.take(line);
    known += lines.length;
  };

  /**
   * Writes, one after the other. If the database is killed, relaxed lines of the last moment are lost: a result may be, whose effect is
   * known to have begun, but no beginning, because an effect would be repeated unnoticed.
   *
   * @returns what `look` sees between the lines of others and the own one
   */
  function write<T>(line: Json, look: () => T, isRelaxed = false): Promise<T> {
    const written = last.then(async () => {
      const { others } = await log.add([line], { known, isRelaxed });
      take(others);
      const seen = look();
      take([line]);
      return seen;
    });
    last = written.catch(() => undefined);
    return written;
  }

  async function sync(): Promise<void> {
    if (!isSynced) await log.sync();
    isSynced = true;
  }

  take((await log.read()).lines);
  return {
    get: (name) => records.get(name),
    async putIfAbsent(name, value) {
      const before = records.get(name);
      if (before !== undefined) return before;
      isSynced = false;
      await write({ name, value, by: writer }, () => undefined, true);
      const kept = records.get(name);
      if (kept === undefined) throw isSupersededClaim(name);
      return kept;
    },
    claim: (names, scheduledAtMs) => write({ claim: writer, names: [...names], ...defined({ scheduledAtMs }) }, () => undefined),
    async begin(name) {
      const before = await write({ name, begun: writer, at: Date.now() }, () => records.hasBegun(name));
      if (records.writerOf(name) !== writer) throw isSupersededClaim(name);
      return before;
    },
    begins: (name) => records.begins(name),
    sync,
    close: sync,
  };
}
