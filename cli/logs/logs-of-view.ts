import type { StepLogs } from '../../activities/logs/log-port';
import type { RunKey } from '../../activities/ports';
import type { RunView, StepState, StepView } from '../../plan/status';
import { readableAddress } from '../rendering/step-tree';
import { callAt } from '../store';
import { linesInOrder, type PrintedLine, startReading, unfinished } from './printed-lines';

/** Where the log of a step is that a person wants to look at: one that works, or that did not end well. */
export interface KeptLog {
  /** Readable address. */
  step: string;
  path: string;
}

const TELLING: ReadonlySet<StepState> = new Set<StepState>(['running', 'waiting', 'held', 'failed']);
const MOST = 20;

export async function logsOfView(logs: StepLogs, view: RunView): Promise<KeptLog[]> {
  const steps = view.steps.filter(({ state }) => TELLING.has(state)).slice(0, MOST);
  const found = await Promise.all(
    steps.map(async ({ address }) => {
      const path = await logs.locate(keyOf(view), callAt(address));
      return path === undefined ? [] : [{ step: readableAddress(address), path }];
    }),
  );
  return found.flat();
}

/** The end of what a step that did not end well has printed. */
export interface LastWords {
  step: string;
  lines: string[];
  /** How many there are in all, as far as they are kept. */
  total: number;
}

const LAST_LINES = 20;

/** Without those whose every line stands in the failure's own message. */
export async function lastWords(logs: StepLogs, view: RunView): Promise<LastWords[]> {
  const ended = view.steps.filter(({ state }) => state === 'failed' || state === 'held').slice(0, MOST);
  const found = await Promise.all(ended.map((step) => endOf(logs, view, step)));
  return found.filter(({ lines }, n) => lines.some((line) => !(ended[n]?.error?.message ?? '').includes(line.trim())));
}

async function endOf(logs: StepLogs, view: RunView, { address }: StepView): Promise<LastWords> {
  const step = readableAddress(address);
  const reading = startReading({ name: callAt(address), address: { path: [], round: 1, try: 1 }, shown: step });
  const last: PrintedLine[] = [];
  let total = 0;
  const take = (line: PrintedLine): void => {
    if (line.from === 'note') return;
    total += 1;
    last.push(line);
    if (last.length > LAST_LINES) last.shift();
  };
  for await (const line of linesInOrder(logs, keyOf(view), [reading])) take(line);
  unfinished(reading).forEach(take);
  return { step, lines: last.map(({ text }) => text), total };
}

function keyOf({ run, firstRunId }: RunView): RunKey {
  return { workflowId: run, run: firstRunId };
}
