import { type LogOwner, ownerNote } from '../../records/logs/log-owner';
import type { LogLine, PrintedBy } from '../../records/step-logs';
import type { ActivityCall } from '../activity-call';
import type { RunSecrets } from '../run/run-secrets';
import type { Toolbox } from '../toolbox';
import { type OutputLines, outputLines, type PieceOfOutput } from './output-lines';

/** The log of one call: the output of its programs, with secrets masked. Nothing it does fails or slows the call. */
export interface StepLog {
  /** @param title noted before its first line; @param hidden its own secrets, in addition to the run's */
  program(options?: { title?: string; hidden?: readonly string[] }): PrintedBy;
  /** A line that no program prints. */
  note(text: string): void;
  close(): Promise<void>;
}

/** How long until an unfinished line, such as a question or a progress bar, is written. */
const UNFINISHED_MS = 100;

const NO_LOG: StepLog = { program: () => () => undefined, note: () => undefined, close: async () => undefined };

/** @param whose the member of a board that works, which the log says before its first line */
export function openStepLog(
  { logs, log }: Toolbox,
  call: Pick<ActivityCall, 'key' | 'id' | 'attempt'>,
  secrets: RunSecrets,
  whose?: LogOwner,
): StepLog {
  if (!logs) return NO_LOG;
  const writer = logs.open(call.key, call.id, {
    attempt: call.attempt,
    trouble: (reason) =>
      log('warn', `the log of ${call.id} may miss lines from here on: ${reason}`, { call: call.id, workflowId: call.key.workflowId }),
  });
  const streams: { from: LogLine['from']; lines: OutputLines }[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let owner = whose;

  function write(lines: readonly LogLine[]): void {
    const [first] = lines;
    if (owner && first) writer.add([{ at: first.at, from: 'note', text: ownerNote(owner) }]);
    owner = undefined;
    writer.add(lines);
  }

  function add(from: LogLine['from'], pieces: readonly PieceOfOutput[]): void {
    if (pieces.length === 0) return;
    const at = new Date().toISOString();
    write(pieces.map((piece): LogLine => ({ at, from, ...piece })));
  }

  function flush(): void {
    timer = undefined;
    for (const { from, lines } of streams) add(from, lines.unfinished());
  }

  function note(text: string): void {
    if (!isClosed) write([{ at: new Date().toISOString(), from: 'note', text: secrets.mask(text) }]);
  }

  return {
    note,
    program({ title, hidden } = {}) {
      const own: Partial<Record<LogLine['from'], OutputLines>> = {};
      let isNoted = title === undefined;
      const linesOf = (from: LogLine['from']): OutputLines => {
        const known = own[from];
        if (known) return known;
        const lines = outputLines(secrets.stream(hidden));
        own[from] = lines;
        streams.push({ from, lines });
        return lines;
      };
      return (from, chunk) => {
        if (isClosed) return;
        if (!isNoted) note(title ?? '');
        isNoted = true;
        const lines = linesOf(from);
        const isBehind = writer.isBehind;
        add(from, lines.push(chunk, isBehind));
        if (isBehind) writer.leftOut(chunk.byteLength);
        if (lines.hasUnfinished()) timer ??= setTimeout(flush, UNFINISHED_MS).unref();
      };
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      for (const { from, lines } of streams) add(from, lines.end());
      await writer.close();
    },
  };
}
