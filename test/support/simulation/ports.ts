import type { ActivityName } from '../../../plan/run/contract';
import type { SignalReceipt } from '../../../plan/run/signal';
import type { ChildStart, Inbound } from '../../../workflows/run-context';
import type { Command, Happening, Outcome } from './commands';
import type { EventQueue } from './event-queue';
import type { SimulatedRun } from './simulated-run';

/** What a simulated server needs of its owner, and what it gives. */

export type ActivityCommand = Extract<Command, { kind: 'activity' }>;

/** What activities do. */
export interface SimulatedWorld {
  /** Runs a local activity, which answers within the workflow task. */
  local(run: SimulatedRun, name: ActivityName, input: unknown): Promise<unknown>;
  perform(run: SimulatedRun, command: ActivityCommand): Work;
}

/** What an activity does: after a time it ends, or something else follows. `effect` happens with its end, and not where it is cancelled before. */
export type Work = { afterMs: number } & ({ outcome: Outcome; effect?: () => void } | { goOn: () => Work });

/** Who looks on. What it sees of a workflow task that is given up has not happened: `rolledBack` says so. */
export interface Watcher {
  command(run: SimulatedRun, command: Command, inbound: Inbound): void;
  committed(run: SimulatedRun, inbound: Inbound): void;
  rolledBack(run: SimulatedRun): void;
  crashed(how: 'worker' | 'cache'): void;
  /** Before it is delivered. */
  told(run: SimulatedRun, happening: Happening): void;
}

export interface ServerOptions {
  world: SimulatedWorld;
  watcher: Watcher;
  startMs: number;
  activitiesPerExecution?: number;
  /** After so many activations the worker dies (`whole`) or forgets one run. */
  crashes: ReadonlyMap<number, 'worker' | 'cache'>;
  /** Whether events of one moment arrive in one activation. */
  together: (nowMs: number) => boolean;
}

/** As much of a Temporal server and a worker as workflows can tell: tasks, replay, timers, activities, children, signals. */
export interface SimulatedServer {
  readonly agenda: EventQueue;
  readonly activations: number;
  readonly runs: ReadonlyMap<string, SimulatedRun>;
  start(child: ChildStart): SimulatedRun;
  signal(workflowId: string, name: string, payload: unknown): boolean;
  update(workflowId: string, name: string, payload: unknown): Promise<SignalReceipt>;
  cancel(workflowId: string): void;
  /** Asks a run, reviving it where need be. */
  ask(run: SimulatedRun): Promise<Inbound>;
  /** Until nothing is left to happen, or so much time has passed. */
  work(forMs: number): Promise<void>;
  /** Tells every execution all over again from its start. */
  replayAll(): Promise<void>;
}
