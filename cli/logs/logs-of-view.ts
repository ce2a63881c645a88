import type { RunView, StepView } from '../../plan/run/status';
import type { StepState } from '../../plan/run/step-state';
import { callIdAt } from '../../plan/steps/call-address';
import type { RunKey } from '../../records/ledger';
import { linesInOrder, type PrintedLine, startLogReading, unfinished } from '../../records/logs/printed-lines';
import type { StepLogs } from '../../records/step-logs';
import { readableAddress } from '../rendering/step-tree';

/** Where the log of an interesting step is: one that works, or that did not end well. */
export interface KeptLog {
  /** Readable address. */
  step: string;
  path: string;
}

const TELLING: ReadonlySet<StepState> = new Set<StepState>(['running', 'waiting', 'held', 'failed']);
const MOST = 20;

/** Reads the view of a child pipeline's run; undefined if nobody knows the run. */
export type ReadView = (run: string) => Promise<RunView | undefined>;

export async function logsOfView(logs: StepLogs, view: RunView, lookAt: ReadView): Promise<KeptLog[]> {
  const placed = await stepsIn(view, TELLING, lookAt);
  const found = await Promise.all(
    placed.map(async ({ key, name, step }) => {
      const path = await logs.locate(key, callIdAt(step.address));
      return path === undefined ? [] : [{ step: name, path }];
    }),
  );
  return found.flat();
}

interface PlacedStep {
  /** The run of the step. */
  key: RunKey;
  /** The step's name in the viewed run: `deploy/build`. */
  name: string;
  step: StepView;
}

/** Children of children: nesting of pipelines is bounded by this. */
const DEPTH = 5;

/** The steps that a person wants to look at, those of child pipelines after the step that has started them. */
async function stepsIn(view: RunView, states: ReadonlySet<StepState>, lookAt: ReadView, prefix = '', depth = DEPTH): Promise<PlacedStep[]> {
  const key = { workflowId: view.run, run: view.firstRunId };
  const found: PlacedStep[] = [];
  for (const step of view.steps) {
    if (found.length >= MOST) break;
    const name = prefix + readableAddress(step.address);
    if (states.has(step.state)) found.push({ key, name, step });
    const child = step.child === undefined || !TELLING.has(step.state) || depth === 0 ? undefined : await lookAt(step.child);
    if (child !== undefined) found.push(...(await stepsIn(child, states, lookAt, `${name}/`, depth - 1)));
  }
  return found.slice(0, MOST);
}

/** The last output of a step that did not end well. */
export interface LastWords {
  step: string;
  lines: string[];
  /** How many there are in all, as far as they are kept. */
  total: number;
}

const LAST_LINES = 20;

/** Leaves out those of which every line is in the failure's own message. */
export async function lastWords(logs: StepLogs, view: RunView, lookAt: ReadView): Promise<LastWords[]> {
  const ended = await stepsIn(view, BROKEN_OFF, lookAt);
  const found = await Promise.all(ended.map((placed) => endOf(logs, placed)));
  return found.filter(({ lines }, n) => lines.some((line) => !(ended[n]?.step.error?.message ?? '').includes(line.trim())));
}

const BROKEN_OFF: ReadonlySet<StepState> = new Set<StepState>(['failed', 'held']);

async function endOf(logs: StepLogs, { key, name: step, step: { address } }: PlacedStep): Promise<LastWords> {
  const reading = startLogReading({ name: callIdAt(address), address: { path: [], round: 1, try: 1 }, shown: step });
  const last: PrintedLine[] = [];
  let total = 0;
  const take = (line: PrintedLine): void => {
    if (line.from === 'note') return;
    total += 1;
    last.push(line);
    if (last.length > LAST_LINES) last.shift();
  };
  for await (const line of linesInOrder(logs, key, [reading])) take(line);
  unfinished(reading).forEach(take);
  return { step, lines: last.map(({ text }) => text), total };
}
