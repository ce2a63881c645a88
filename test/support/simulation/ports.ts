import type { ActivityName } from '../../../plan/run/contract';
import type { SignalReceipt } from '../../../plan/run/signal';
import type { ChildStart, Inbound } from '../../../workflows/run-context';
import type { Command, Happening, Outcome } from './commands';
import type { EventQueue } from './event-queue';
import type { SimulatedRun } from './simulated-run';

/** What a simulated server needs from its owner, and what it offers. */

export type ActivityCommand = Extract<Command, { kind: 'activity' }>;

/** What activities do. */
export interface SimulatedWorld {
  /** Runs a local activity, which answers within the workflow task. */
  local(run: SimulatedRun, name: ActivityName, input: unknown): Promise<unknown>;
  perform(run: SimulatedRun, command: ActivityCommand): Work;
}

/** The work of an activity: after a time it ends, or more work follows. `effect` happens at its end, unless it is cancelled before. */
export type Work = { afterMs: number } & ({ outcome: Outcome; effect?: () => void } | { goOn: () => Work });

/** An observer. After `rolledBack`, all that it saw of the abandoned workflow task has not happened. */
export interface Watcher {
  command(run: SimulatedRun, command: Command, inbound: Inbound): void;
  committed(run: SimulatedRun, inbound: Inbound): void;
  rolledBack(run: SimulatedRun): void;
  crashed(how: 'worker' | 'cache'): void;
  /** Called before a happening is delivered. */
  told(run: SimulatedRun, happening: Happening): void;
}

export interface ServerOptions {
  world: SimulatedWorld;
  watcher: Watcher;
  startMs: number;
  activitiesPerExecution?: number;
  /** By number of activations: the worker dies (`worker`) or forgets one run (`cache`). */
  crashes: ReadonlyMap<number, 'worker' | 'cache'>;
  /** Whether events of one moment arrive in one activation. */
  together: (nowMs: number) => boolean;
}

/** The parts of a Temporal server and a worker that workflows notice: tasks, replay, timers, activities, children, signals. */
export interface SimulatedServer {
  readonly agenda: EventQueue;
  readonly activations: number;
  readonly runs: ReadonlyMap<string, SimulatedRun>;
  start(child: ChildStart): SimulatedRun;
  signal(workflowId: string, name: string, payload: unknown): boolean;
  update(workflowId: string, name: string, payload: unknown): Promise<SignalReceipt>;
  cancel(workflowId: string): void;
  /** Returns the view of a run, which is revived if necessary. */
  ask(run: SimulatedRun): Promise<Inbound>;
  /** Works until there are no more events, or `forMs` milliseconds have passed. */
  work(forMs: number): Promise<void>;
  /** Replays every execution from its start. */
  replayAll(): Promise<void>;
}
