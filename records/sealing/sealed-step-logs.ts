import { ThermidorFailure } from '../../plan/run/failure';
import type { RunKey } from '../ledger';
import type { LogEntry, LogWriter, StepLogs } from '../step-logs';
import type { KeyRing } from './key-ring';
import { openText, sealText } from './sealed-text';

/** Logs of steps, each line sealed by itself: they are followed while they grow, and cut where they are long. Times stay readable. */
export function sealedStepLogs(logs: StepLogs, ring: KeyRing): StepLogs {
  return {
    open: (run, name, options) => sealedWriter(logs.open(run, name, options), ring, placeOf(run, name)),
    list: (run) => logs.list(run),
    async *read(run: RunKey, name: string, from?: number) {
      for await (const entry of logs.read(run, name, from)) yield opened(entry, ring, placeOf(run, name));
    },
    locate: async (run, name) => (ring.use === undefined ? await logs.locate(run, name) : undefined),
  };
}

export function placeOf({ run }: RunKey, name: string): string {
  return `a line of a step's log\n${run}\n${name}`;
}

function sealedWriter(writer: LogWriter, ring: KeyRing, place: string): LogWriter {
  if (ring.use === undefined) return writer;
  return {
    get isBehind() {
      return writer.isBehind;
    },
    add: (lines) => writer.add(lines.map((line) => ({ ...line, text: sealText(ring, line.text, place) }))),
    leftOut: (bytes) => writer.leftOut(bytes),
    close: () => writer.close(),
  };
}

/** A line that cannot be opened says why in its place: a program may print what looks like one. */
function opened(entry: LogEntry, ring: KeyRing, place: string): LogEntry {
  if (entry.kind === 'gap') return entry;
  try {
    return { ...entry, text: openText(ring, entry.text, place) };
  } catch (error) {
    if (!(error instanceof ThermidorFailure)) throw error;
    return { ...entry, text: `(${error.message})` };
  }
}
