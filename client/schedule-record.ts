import type { ScheduleDescription } from '@temporalio/client';
import type { RunState } from '../plan/run/status';
import type { ThermidorClient } from './connect';
import { describeRun } from './find-run';
import { pollersOf } from './task-queue';

/** What the server says of a schedule: its next moments, its last runs, and what it has counted. Times are ISO 8601. */
export interface ScheduleRecord {
  /** At most ten; also while it is paused, when it starts none of them. */
  nextRuns: string[];
  /** At most ten, the last first. */
  lastRuns: ScheduledRun[];
  /** Moments of which no run came: `missed` came too late, `skipped` had a run before them, `dropped` were too many to wait. */
  counts: { started: number; missed: number; skipped: number; dropped: number };
  /** Starts that wait for a run before them. */
  waiting: number;
}

export interface ScheduledRun {
  run: string;
  scheduledAt: string;
  startedAt: string;
  /** Absent: neither the server nor the store knows the run any more. */
  state?: RunState;
}

export function recordOf({ info, raw }: ScheduleDescription): ScheduleRecord {
  const { nextActionTimes = [], recentActions = [] } = info;
  return {
    nextRuns: nextActionTimes.map((at) => at.toISOString()),
    lastRuns: recentActions
      .map(({ scheduledAt, takenAt, action }) => ({
        run: action.workflow.workflowId,
        scheduledAt: scheduledAt.toISOString(),
        startedAt: takenAt.toISOString(),
      }))
      .reverse(),
    counts: {
      started: info.numActionsTaken,
      missed: info.numActionsMissedCatchupWindow,
      skipped: info.numActionsSkippedOverlap,
      dropped: Number(raw.info?.bufferDropped ?? 0),
    },
    waiting: Number(raw.info?.bufferSize ?? 0),
  };
}

/** The runs with how they ended. */
export async function withStates(client: ThermidorClient, runs: readonly ScheduledRun[]): Promise<ScheduledRun[]> {
  const found: ScheduledRun[] = [];
  for (const one of runs) {
    const state = (await describeRun(client, one.run))?.state;
    found.push(state === undefined ? one : { ...one, state });
  }
  return found;
}

/** How many workers take the work of each queue. */
export async function workersOf(client: ThermidorClient, taskQueues: Iterable<string>): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  const now = Date.now();
  for (const queue of new Set(taskQueues)) if (queue !== '') found.set(queue, (await pollersOf(client, 'workflow', now, queue)).length);
  return found;
}
