import type { RunInput } from '../../../plan/run/run-input';
import type { RunInfo } from '../../../workflows/run-context';
import { type CachedExecution, type CachedExecutionOptions, NonDeterminism, startCachedExecution } from './cached-execution';
import { type Activation, type Command, describe, type Happening, type RunEnd } from './commands';

/** An execution as the server keeps it: its happenings and commands, committed with each workflow task. */
export interface Execution {
  readonly info: RunInfo;
  readonly input: RunInput;
  readonly log: Activation[];
  /** The life that a worker has in its cache. */
  life?: CachedExecution;
  /** Functions that cancel timers and other pending events, by seq. */
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
  /** The happenings for the next workflow task. */
  mail: Happening[];
  /** A task was given up because more mail had come, so the next one takes all. */
  takesAll: boolean;
  begun: boolean;
  end?: RunEnd;
  readonly whenClosed: (() => void)[];
}

export function createExecution(info: RunInfo, input: RunInput): Execution {
  return { info, input, log: [], strike: new Map(), pending: new Map() };
}

/** A worker loads the execution: it delivers all earlier happenings again, and checks that the commands are the same. */
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
