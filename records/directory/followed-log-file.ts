import type { Json } from '../../plan/text/json';
import type { FollowedLog } from '../ledger';
import { ClaimedLines } from '../log-writer-claims';
import { unlessGone } from './durable-file';
import { wholeFrom } from './log-file';
import { wholeLines } from './log-lines';
import type { FileIdentity } from './recent-files';

/** The part of a file that has been read. */
interface Read {
  file?: FileIdentity;
  bytes: number;
  lines: ClaimedLines;
}

/**
 * Follows a log that is a file.
 *
 * Invariants: 1. looks are one after the other, so no line is read twice; 2. an unfinished line is read when it is finished, or skipped
 * when a later writer has ended it (`log-lines.ts`); 3. another file in its place, or a shorter one, is read from its beginning.
 *
 * @param guard turns file system errors into `store.unavailable`
 */
export function followLogFile(path: string, guard: <T>(work: () => Promise<T>) => Promise<T>): FollowedLog {
  let read: Read = nothing();
  let last: Promise<unknown> = Promise.resolve();

  async function look(): Promise<readonly Json[]> {
    const found = await unlessGone(() => wholeFrom(path, read.bytes));
    if (!found) {
      if (read.file) read = nothing();
      return read.lines.valid;
    }
    const { bytes, file } = found;
    if (read.file && (file.ino !== read.file.ino || file.dev !== read.file.dev || file.size < read.bytes)) {
      read = nothing();
      return await look();
    }
    read.file = { dev: file.dev, ino: file.ino };
    read.bytes += bytes.byteLength;
    for (const line of wholeLines(bytes.toString('utf8'))) read.lines.take(line);
    return read.lines.valid;
  }

  return {
    lines() {
      const looked = last.then(() => guard(look));
      // The next look follows, whatever became of this one.
      last = looked.catch(() => undefined);
      return looked;
    },
  };
}

function nothing(): Read {
  return { bytes: 0, lines: new ClaimedLines() };
}
