import { streamDecoder } from '../../../plan/text/decode-stream';
import type { OnLines } from '../../ports';
import type { GroupLeader } from './process-group';

export interface PassedLines {
  /** Settles when all lines have been dealt with. */
  passed(): Promise<void>;
  /** Drops the rest. */
  end(reason: unknown): void;
}

/**
 * Passes on whole lines of a command's standard output, in order, and holds the command back until each has been handled: it can print as
 * much as a pipe holds. Everything printed before its end is passed on, however long that takes.
 */
export function passLines(child: GroupLeader, onLines: OnLines, stop: (reason: unknown) => void): PassedLines {
  const { stdout } = child;
  const over = new AbortController();
  const decoder = streamDecoder();
  let rest = '';
  let hasEnded = false;
  let last: Promise<void> = Promise.resolve();
  const pass = (lines: readonly string[]): void => {
    last = last.then(() => onLines(lines, over.signal));
    // The caller that awaits `passed` gets the failure.
    last.catch(stop);
  };
  child.once('exit', () => {
    hasEnded = true;
    // The rest of its output would be dropped soon.
    stdout.resume();
  });
  stdout.on('data', (chunk: Buffer) => {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    if (lines.length === 0) return;
    pass(lines);
    if (hasEnded) return;
    stdout.pause();
    last.then(
      () => stdout.resume(),
      () => stdout.resume(),
    );
  });
  return {
    end: (reason) => over.abort(reason),
    passed() {
      rest += decoder.end();
      if (rest !== '') pass([rest]);
      rest = '';
      return last;
    },
  };
}
