import type { ThermidorClient } from '../../client/connect';
import type { WorkerOptions } from '../../worker/worker';
import type { Configuration } from '../settings/configuration';
import type { Log } from './worker-log';

/**
 * How a process leaves. Parallel processes share one worker. When its own run is done, it lets the steps of the others end: handed over,
 * they would run twice.
 */
export interface Finish {
  /** Aborted when the process must leave without waiting. Absent: it never has to. */
  cut?: AbortSignal;
  /** Printed if it takes longer than a moment. */
  waitsFor?: (runs: readonly string[]) => void;
}

/** What a command needs of a session. */
export type Need =
  /** Runs must continue. */
  | 'worker'
  /** The session needs runs to answer queries and updates. */
  | 'answers'
  /** Lists and schedules need the server alone. */
  | 'server';

/** `maxConcurrentAgents` and the like are of the worker that it starts, if it starts one. */
export interface SessionOptions extends Pick<WorkerOptions, 'maxConcurrentAgents' | 'metrics' | 'sdkMetrics' | 'onHealth' | 'queues'> {
  configuration: Configuration;
  need: Need;
  /** Progress of starting a server, for people. */
  progress: (line: string) => void;
  /**
   * Creates the state folder of an embedded server, and the server, if there is none: commands that look at runs, or act on one, find
   * nothing in a new one. @default false
   */
  begins?: boolean;
  /** Checked before this process begins to work: nobody becomes a worker for a run that does not exist. Its failure ends the session. */
  first?: (client: ThermidorClient) => Promise<unknown>;
  port?: number;
  preferredPort?: number;
  /** Work even if another process does. */
  alwaysWork?: boolean;
  /** Also work on the runs of a configured server, whose workers are normally elsewhere. */
  ownWorker?: boolean;
  /** In addition to the log file. */
  log?: Log;
  /** Folders in addition to the configured ones, e.g. that of a pipeline's file. */
  pipelineDirs?: readonly string[];
  /** If given, this process ends its steps in progress before it leaves. Absent: they get a moment, then they are handed over. */
  finish?: Finish;
}
