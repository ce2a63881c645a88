import type { Metrics } from '../../activities/metrics';
import type { ThermidorClient } from '../../client/connect';
import type { Configuration } from '../settings/configuration';
import type { Log } from './worker-log';

/**
 * Processes in parallel share one worker. One that is done with its own run lets the steps of the others end: handed over, they would
 * run twice.
 */
export interface Finish {
  /** Aborted where the process must leave without that. Absent: it never has to. */
  cut?: AbortSignal;
  /** Printed if it takes longer than a moment. */
  waitsFor?: (runs: readonly string[]) => void;
}

/** What a command needs of a session. */
export type Need =
  /** Runs must continue. */
  | 'worker'
  /** Runs must answer queries and updates. */
  | 'answers'
  /** Lists, schedules: the server alone. */
  | 'server';

export interface SessionOptions {
  configuration: Configuration;
  need: Need;
  /** Progress of starting a server, for people. */
  progress: (line: string) => void;
  /** Makes the state folder of an embedded server, and the server, when there is none: what looks at runs, or acts on one, finds nothing in a new one. @default false */
  begins?: boolean;
  /** Asked before this process begins to work: nobody becomes a worker for a run that there is not. Its failure ends the session. */
  first?: (client: ThermidorClient) => Promise<unknown>;
  port?: number;
  preferredPort?: number;
  /** Work even where another process does. */
  alwaysWork?: boolean;
  /** Work on the runs of a configured server too, whose workers are elsewhere otherwise. */
  ownWorker?: boolean;
  /** In addition to the log file. */
  log?: Log;
  /** Folders beside the configured ones, e.g. that of a pipeline's file. */
  pipelineDirs?: readonly string[];
  maxConcurrentAgents?: number;
  /**
   * Where given, this process ends the steps that it has in progress before it leaves. Absent: they get a moment, then they are handed
   * over.
   */
  finish?: Finish;
  /** Counts what the agents of its worker do. */
  metrics?: Metrics;
  /** Learns when the server stops answering its worker, and when it answers again. */
  onContact?: (has: boolean) => void;
  /** Which steps' queues its worker takes. Absent: the worker's own default. */
  queues?: readonly string[];
}
