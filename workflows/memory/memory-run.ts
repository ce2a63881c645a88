import type { Activities, ActivityName } from '../../plan/run/contract';
import type { RunInput } from '../../plan/run/run-input';
import type { RunResult } from '../../plan/run/run-result';
import type { SignalReceipt } from '../../plan/run/signal';
import type { KindCode, Work } from '../interpreter/interpreter';
import type { ActivityOptions, Publication, RunContext, RunInfo } from '../run-context';
import type { VirtualClock } from './virtual-clock';

/**
 * Runs the interpreter in memory: for pipeline tests, dry runs and the tests of the interpreter itself. Time is virtual, and
 * the test decides when each activity settles. Three days without an approval pass in a millisecond.
 */
export interface MemoryRun {
  readonly clock: VirtualClock;
  readonly result: Promise<RunResult>;
  signal(name: string, payload?: unknown): void;
  update(name: string, payload?: unknown): Promise<SignalReceipt>;
  query(name: string, argument?: unknown): unknown;
  cancel(reason?: string): void;
  /** Lets everything happen that needs no time. */
  settle(): Promise<void>;
  /** Lets time pass until nothing is left that waits for it, or `until` says enough. */
  elapse(until?: () => boolean): Promise<void>;
  readonly published: { readonly details: string } & Pick<Publication, 'memo' | 'searchAttributes'>;
  /** Executions so far: one more with every continue-as-new. */
  readonly executions: number;
  /** Child pipelines by workflow id, started so far. */
  readonly children: ReadonlyMap<string, Pick<MemoryRun, 'result' | 'signal' | 'query' | 'cancel'>>;
}

export interface MemoryCall {
  name: ActivityName;
  input: unknown;
  options: ActivityOptions;
  /** The calling run: the one that was started, or a child of it. */
  info: RunInfo;
  /** Aborted when the interpreter calls the activity off. */
  signal: AbortSignal;
  clock: VirtualClock;
  /** Wakes the run that calls, or another, as an activity does. */
  wake(other?: { workflowId: string; step: string }): Promise<void>;
}

export interface MemoryOptions {
  input?: RunInput;
  workflowType?: string;
  workflowId?: string;
  startMs?: number;
  /** The work of the kinds of steps, for tests of the interpreter. @default the interpreter's own */
  work?: Work;
  /** What calls of tools ask, for tests of the interpreter. @default the interpreter's own */
  decide?: KindCode['decide'];
  /** Performs an activity. */
  perform: <N extends ActivityName>(call: MemoryCall & { name: N; input: Parameters<Activities[N]>[0] }) => ReturnType<Activities[N]>;
  /** Activities after which an execution counts as full. Absent: never. */
  activitiesPerExecution?: number;
  /** @default nobody counts */
  stepEnded?: RunContext['stepEnded'];
  /** Whether an execution counts as full, if the number of its activities does not say so. */
  historyIsFull?: (info: RunInfo) => boolean;
}
