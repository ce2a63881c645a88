import type { Metrics } from '../activities/metrics';
import type { Configuration } from './configuration';
import type { Log } from './worker-log';

/** What a command needs of a session. */
export type Need =
  /** Runs must go on. */
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
  port?: number;
  preferredPort?: number;
  /** Work even where another process does. */
  alwaysWork?: boolean;
  /** In addition to the log file. */
  log?: Log;
  /** Folders beside the configured ones, e.g. that of a pipeline's file. */
  pipelineDirs?: readonly string[];
  maxConcurrentAgents?: number;
  /** What steps in flight, of other runs too, get when this process leaves. Absent: a moment, then they are handed over. */
  graceMs?: number;
  /** Counts what the agents of its worker do. */
  metrics?: Metrics;
  /** Which steps' queues its worker takes. Absent: the worker's own default. */
  queues?: readonly string[];
}
