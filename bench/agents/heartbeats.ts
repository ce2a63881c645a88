import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '@temporalio/client';

const LOOK_MS = 250;

export interface Beats {
  /** The longest that any activity in progress had been without a heartbeat, as the server has it, in seconds. */
  oldestS: number;
  /** The most activities that were in progress at once. */
  atOnce: number;
}

/** Looks at a run's activities until it is stopped. Clocks are one: server and bench are on one machine. */
export async function watchHeartbeats({ workflowService, options }: Client, workflowId: string, signal: AbortSignal): Promise<Beats> {
  const seen: Beats = { oldestS: 0, atOnce: 0 };
  const { namespace } = options;
  while (!signal.aborted) {
    const { pendingActivities } = await workflowService.describeWorkflowExecution({ namespace, execution: { workflowId } });
    const now = Date.now();
    const alive = (pendingActivities ?? []).flatMap(
      // One that waits for its turn has neither.
      ({ lastHeartbeatTime, lastStartedTime }) => timeMs(lastHeartbeatTime ?? lastStartedTime) ?? [],
    );
    seen.atOnce = Math.max(seen.atOnce, alive.length);
    for (const at of alive) seen.oldestS = Math.max(seen.oldestS, (now - at) / 1000);
    await wait(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
  return seen;
}

function timeMs(time: { seconds?: unknown; nanos?: number | null } | null | undefined): number | undefined {
  return time ? Number(time.seconds ?? 0) * 1000 + (time.nanos ?? 0) / 1e6 : undefined;
}
