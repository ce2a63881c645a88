import type { ScheduleDescription, ScheduleSummary } from '@temporalio/client';
import { scriptOf } from '../apply-schedules';
import type { ThermidorClient } from '../connect';
import { SCHEDULE_MARK } from '../schedule-options';
import { appliedTo, belongingOf, type Us } from '../schedule-owner';
import { readableSchedule } from '../schedules';
import type { AppliedHook } from './applied-hook';

/** The web hooks of this installation, as the server has them. The server's list lags a moment behind changes. */
export async function loadHooks(client: ThermidorClient, us: Us): Promise<AppliedHook[]> {
  const names: string[] = [];
  await client.call(async () => {
    for await (const summary of client.temporal.schedule.list()) if (mayBeHook(summary)) names.push(summary.scheduleId);
  });
  const found: AppliedHook[] = [];
  for (const name of names) {
    const description = await readableSchedule(client, name);
    const hook = description && description !== 'unreadable' && belongingOf(description, us) === 'ours' ? hookOf(description) : undefined;
    if (hook) found.push(hook);
  }
  return found;
}

/** A web hook has no times. */
function mayBeHook({ memo, spec }: ScheduleSummary): boolean {
  const times = [...(spec?.calendars ?? []), ...(spec?.intervals ?? [])];
  return times.length === 0 && memo !== undefined && SCHEDULE_MARK in memo;
}

/** Undefined if the schedule is one of times. */
export function hookOf(description: Pick<ScheduleDescription, 'scheduleId' | 'action' | 'state'>): AppliedHook | undefined {
  const { scheduleId: schedule, action, state } = description;
  const hook = appliedTo(description)?.hook;
  return hook && { ...hook, schedule, pipeline: action.workflowType, paused: state.paused, ...scriptOf({ action }) };
}
