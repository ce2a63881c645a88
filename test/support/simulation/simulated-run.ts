import type { RunInput } from '../../../plan/run/run-input';
import type { RunInfo } from '../../../workflows/run-context';
import { type CachedExecution, type CachedExecutionOptions, NonDeterminism, startCachedExecution } from './cached-execution';
import { type Activation, type Command, describe, type Happening, type RunEnd } from './commands';

/** An execution as the server keeps it: what it received and what it sent, committed with each workflow task. */
export interface Execution {
  readonly info: RunInfo;
  readonly input: RunInput;
  readonly log: Activation[];
  /** The life that a worker has in its cache. */
  life?: CachedExecution;
  /** Activities that a worker works on, by seq; timers and the rest by seq, too. */
  readonly strike: Map<number, () => void>;
  readonly pending: Map<number, PendingActivity>;
}

export interface PendingActivity {
  address: string | undefined;
  command: Extract<Command, { kind: 'activity' }>;
}

export interface SimulatedRun {
  readonly workflowId: string;
  readonly workflowType: string;
  readonly startedAtMs: number;
  execution: Execution;
  executions: number;
  /** What is to be delivered with the next workflow task. */
  mail: Happening[];
  /** A task was given up because more had come: the next takes all. */
  takesAll: boolean;
  begun: boolean;
  end?: RunEnd;
  readonly whenClosed: (() => void)[];
}

export function createExecution(info: RunInfo, input: RunInput): Execution {
  return { info, input, log: [], strike: new Map(), pending: new Map() };
}

/** A worker takes the execution up: tells it all that it was told before, and sees that it says the same. */
export async function revive(execution: Execution, life: Omit<CachedExecutionOptions, 'info' | 'input'>): Promise<CachedExecution> {
  const { info, input, log } = execution;
  const { watch, answered } = life;
  let replaying = true;
  const incarnation = startCachedExecution({
    ...life,
    info,
    input,
    watch: (command) => (replaying ? undefined : watch?.(command)),
    answered: (id, answer) => (replaying ? undefined : answered?.(id, answer)),
  });
  for (const [at, activation] of log.entries()) {
    const says = (await incarnation.activate(activation.now, activation.happenings)).map(describe);
    const said = activation.commands.map(describe);
    if (says.join('\n') !== said.join('\n')) throw new NonDeterminism(activation, at, said, says);
  }
  replaying = false;
  return incarnation;
}
