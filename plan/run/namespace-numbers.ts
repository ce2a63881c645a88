import type { RunState } from './status';

/** What operators count of all runs of a task queue, by one process for all. */
export interface NamespaceNumbers {
  /** Open runs by their state, child runs among them. */
  runs: Readonly<Record<OpenState, number>>;
  /** Gates that wait for a person; one that a parent shows for its child counts once. */
  gates: { open: number; oldestSeconds: number };
  /** What waits for a worker, by queue; `age`: how long the oldest of it has waited. */
  queues: readonly { queue: string; kind: 'workflow' | 'activity'; backlog: number; ageSeconds: number }[];
  /** Starts that schedules have left out since they were made: the run before had not ended, or no server was there in time. */
  skipped: Readonly<Record<SkipReason, number>>;
}

export const OPEN_STATES = ['running', 'waiting', 'held', 'paused'] as const satisfies readonly RunState[];
export type OpenState = (typeof OPEN_STATES)[number];
export type SkipReason = 'overlap' | 'missed';
