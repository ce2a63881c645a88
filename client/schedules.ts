import { ScheduleAlreadyRunning, ScheduleNotFoundError, type ScheduleSummary } from '@temporalio/client';
import { defined } from '../plan/defined';
import { isJsonObject } from '../plan/text/json';
import { ClientProblem } from './client-problem';
import type { ThermidorClient } from './connect';
import {
  APPLIED_MEMO,
  type AppliedSchedule,
  SCHEDULE_MARK,
  scheduleOptions,
  stateAfterApply,
  type WantedSchedule,
} from './schedule-options';

export interface AppliedResult {
  schedule: string;
  done: 'created' | 'updated' | 'unchanged' | 'deleted';
  paused: boolean;
}

/** Makes the server have the schedule that a pipeline's file wants. Doing it again changes nothing. */
export async function applySchedule(client: ThermidorClient, wanted: WantedSchedule): Promise<AppliedResult> {
  const options = scheduleOptions(wanted, client.taskQueue);
  const result: AppliedResult = { schedule: wanted.pipeline, done: 'created', paused: options.state?.paused === true };
  try {
    await client.call(() => client.temporal.schedule.create(options));
    return result;
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw refused(error, wanted.pipeline) ?? error;
  }
  const desired = options.action.memo?.[APPLIED_MEMO];
  await onSchedule(client, wanted.pipeline, () =>
    client.temporal.schedule.getHandle(wanted.pipeline).update((before) => {
      const applied = readApplied(before.action.memo?.[APPLIED_MEMO]);
      result.done = applied?.sha256 === readApplied(desired)?.sha256 ? 'unchanged' : 'updated';
      const state = stateAfterApply(wanted.trigger, before.state, applied);
      result.paused = state.paused;
      const { spec, policies, action } = options;
      return { spec, action, state, ...defined({ policies }) };
    }),
  );
  return result;
}

/** Deletes every schedule of ours whose pipeline is not among `keep`. */
export async function pruneSchedules(client: ThermidorClient, keep: ReadonlySet<string>): Promise<AppliedResult[]> {
  const gone: AppliedResult[] = [];
  for (const schedule of await listSchedules(client)) {
    if (!schedule.ours || keep.has(schedule.schedule)) continue;
    await deleteSchedule(client, schedule.schedule);
    gone.push({ schedule: schedule.schedule, done: 'deleted', paused: schedule.paused });
  }
  return gone;
}

export interface ScheduleView {
  schedule: string;
  ours: boolean;
  paused: boolean;
  note?: string;
  /** Whose clock it goes by. */
  timezone: string;
  next?: string;
  lastRun?: string;
}

/** All schedules of the namespace, by name. The server's list lags a moment behind changes. */
export async function listSchedules(client: ThermidorClient): Promise<ScheduleView[]> {
  const found: ScheduleView[] = [];
  await client.call(async () => {
    for await (const summary of client.temporal.schedule.list()) found.push(viewOf(summary));
  });
  return found.sort((a, b) => a.schedule.localeCompare(b.schedule));
}

function viewOf(summary: ScheduleSummary): ScheduleView {
  const view: ScheduleView = {
    schedule: summary.scheduleId,
    ours: summary.memo !== undefined && SCHEDULE_MARK in summary.memo,
    paused: summary.state.paused,
    timezone: summary.spec?.timezone || 'UTC',
  };
  const next = summary.info.nextActionTimes[0];
  const last = summary.info.recentActions.at(-1);
  if (summary.state.note) view.note = summary.state.note;
  if (next !== undefined && !view.paused) view.next = next.toISOString();
  if (last !== undefined) view.lastRun = last.action.workflow.workflowId;
  return view;
}

/** All four fail with `schedule.not-found`. */
export function triggerSchedule(client: ThermidorClient, schedule: string): Promise<void> {
  return onSchedule(client, schedule, () => client.temporal.schedule.getHandle(schedule).trigger());
}
export function pauseSchedule(client: ThermidorClient, schedule: string, note: string): Promise<void> {
  return onSchedule(client, schedule, () => client.temporal.schedule.getHandle(schedule).pause(note));
}
export function unpauseSchedule(client: ThermidorClient, schedule: string, note: string): Promise<void> {
  return onSchedule(client, schedule, () => client.temporal.schedule.getHandle(schedule).unpause(note));
}
export function deleteSchedule(client: ThermidorClient, schedule: string): Promise<void> {
  return onSchedule(client, schedule, () => client.temporal.schedule.getHandle(schedule).delete());
}

async function onSchedule(client: ThermidorClient, schedule: string, request: () => Promise<void>): Promise<void> {
  try {
    await client.call(request);
  } catch (error) {
    throw refused(error, schedule) ?? error;
  }
}

function refused(error: unknown, schedule: string): ClientProblem | undefined {
  if (error instanceof ScheduleNotFoundError) {
    return new ClientProblem('schedule.not-found', `there is no schedule "${schedule}"`, {
      hint: '`thermidor schedule list` shows them; `thermidor schedule apply` makes one for each `trigger:`',
      cause: error,
    });
  }
  if (error instanceof ClientProblem || !(error instanceof Error)) return undefined;
  return new ClientProblem('schedule.refused', `schedule "${schedule}": ${error.message}`, { cause: error });
}

function readApplied(memo: unknown): AppliedSchedule | undefined {
  if (!isJsonObject(memo) || typeof memo['sha256'] !== 'string') return undefined;
  return { sha256: memo['sha256'], paused: memo['paused'] === true };
}
