import { type ScheduleDescription, ScheduleNotFoundError, type ScheduleSummary } from '@temporalio/client';
import { defined } from '../plan/defined';
import { ClientProblem } from './client-problem';
import type { ThermidorClient } from './connect';
import { SCHEDULE_MARK } from './schedule-options';
import { appliedTo, type Belonging, belongingOf, describeSchedule, notOurs, type Us } from './schedule-owner';
import { recordOf, type ScheduleRecord } from './schedule-record';

export interface ScheduleView {
  schedule: string;
  /** Thermidor made it, in any installation. */
  ours: boolean;
  paused: boolean;
  note?: string;
  /** The time zone of its cron expression. */
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

export interface OwnedSchedule extends ScheduleView {
  belongs: Belonging;
  /** The id of the installation that owns it. */
  owner?: string;
  taskQueue: string;
  /** As the server describes it. Absent: it cannot be read here. */
  record?: ScheduleRecord;
  /** It is a web hook: the path behind `/hooks/`. */
  webhook?: string;
}

/** All schedules with their owners, which the server's list does not have. */
export async function listOwnedSchedules(client: ThermidorClient, us: Us): Promise<OwnedSchedule[]> {
  const found: OwnedSchedule[] = [];
  for (const view of await listSchedules(client)) {
    const description = await readableSchedule(client, view.schedule);
    // Deleted meanwhile: the list lags.
    if (!description) continue;
    if (description === 'unreadable') {
      found.push({ ...view, belongs: 'others', taskQueue: '' });
      continue;
    }
    found.push({ ...view, ...ownedAs(description, us) });
  }
  return found;
}

/** The schedule of that name, also if it belongs to somebody else. Fails with `schedule.not-found`. */
export async function showSchedule(client: ThermidorClient, us: Us, schedule: string): Promise<OwnedSchedule> {
  const description = await describeSchedule(client, schedule);
  if (!description) throw missing(schedule);
  const { state, memo, spec } = description;
  const view = { schedule, ours: memo !== undefined && SCHEDULE_MARK in memo, paused: state.paused, timezone: spec.timezone || 'UTC' };
  return { ...view, ...defined({ note: state.note || undefined }), ...ownedAs(description, us) };
}

function ownedAs(description: ScheduleDescription, us: Us): Omit<OwnedSchedule, keyof ScheduleView> {
  const { owner, hook } = appliedTo(description) ?? {};
  const { taskQueue } = description.action;
  const told = defined({ owner: owner?.installation, webhook: hook?.trigger.path });
  return { belongs: belongingOf(description, us), ...told, taskQueue, record: recordOf(description) };
}

/** Anybody may make a schedule whose payloads only they can read: it is theirs, and hides no other. */
export async function readableSchedule(client: ThermidorClient, schedule: string): Promise<ScheduleDescription | 'unreadable' | undefined> {
  try {
    return await describeSchedule(client, schedule);
  } catch (error) {
    if (error instanceof ClientProblem) throw error;
    return 'unreadable';
  }
}

/** All four fail with `schedule.not-found`, and with `schedule.not-ours`. */
export async function triggerSchedule(client: ThermidorClient, us: Us, schedule: string): Promise<void> {
  refuseHook(await requireOwn(client, us, schedule));
  await onSchedule(client, us, schedule, () => client.temporal.schedule.getHandle(schedule).trigger());
}
export function pauseSchedule(client: ThermidorClient, us: Us, schedule: string, note: string): Promise<void> {
  return onSchedule(client, us, schedule, () => client.temporal.schedule.getHandle(schedule).pause(note));
}
export function unpauseSchedule(client: ThermidorClient, us: Us, schedule: string, note: string): Promise<void> {
  return onSchedule(client, us, schedule, () => client.temporal.schedule.getHandle(schedule).unpause(note));
}
/** How the note of a pause of all begins, by which the same are unpaused. */
export const ALL_MARK = 'all: ';

/** Pauses all schedules of this installation that are not paused; returns their names. */
export async function pauseAll(client: ThermidorClient, us: Us, reason: string): Promise<string[]> {
  const found = await ownStates(client, us, ({ paused }) => !paused);
  for (const schedule of found) await pauseSchedule(client, us, schedule, `${ALL_MARK}${reason}`);
  return found;
}

/** Unpauses those that a pause of all has paused, and whose note nobody has changed since. */
export async function unpauseAll(client: ThermidorClient, us: Us, reason: string): Promise<string[]> {
  const found = await ownStates(client, us, ({ paused, note }) => paused && note?.startsWith(ALL_MARK) === true);
  for (const schedule of found) await unpauseSchedule(client, us, schedule, reason);
  return found;
}

/** By the description of each: the server's list lags. */
async function ownStates(client: ThermidorClient, us: Us, wanted: (state: ScheduleDescription['state']) => boolean): Promise<string[]> {
  const found: string[] = [];
  for (const { schedule } of await listSchedules(client)) {
    const description = await readableSchedule(client, schedule);
    if (!description || description === 'unreadable' || belongingOf(description, us) !== 'ours') continue;
    if (wanted(description.state)) found.push(schedule);
  }
  return found;
}

export function deleteSchedule(client: ThermidorClient, us: Us, schedule: string): Promise<void> {
  return onSchedule(client, us, schedule, () => client.temporal.schedule.getHandle(schedule).delete());
}

async function onSchedule(client: ThermidorClient, us: Us, schedule: string, request: () => Promise<void>): Promise<void> {
  try {
    await requireOwn(client, us, schedule);
    await client.call(request);
  } catch (error) {
    throw refused(error, schedule) ?? error;
  }
}

/** A schedule that may be changed here. Fails with `schedule.not-found`, and with `schedule.not-ours`. */
export async function requireOwn(client: ThermidorClient, us: Us, schedule: string): Promise<ScheduleDescription> {
  const description = await describeSchedule(client, schedule);
  if (!description) throw missing(schedule);
  if (belongingOf(description, us) === 'others') throw notOurs(schedule, description, us);
  return description;
}

/** A web hook has neither moments nor args of its own. */
export function refuseHook(description: ScheduleDescription): void {
  if (!appliedTo(description)?.hook) return;
  throw new ClientProblem('schedule.refused', `"${description.scheduleId}" is a web hook: only a delivery starts its runs`, {
    hint: 'docs/webhooks.md shows how to send one by hand; `thermidor run` starts a run without one',
  });
}

/** A problem with one schedule that is no bug. */
export function refused(error: unknown, schedule: string): ClientProblem | undefined {
  if (error instanceof ScheduleNotFoundError) return missing(schedule, error);
  if (error instanceof ClientProblem || !(error instanceof Error)) return undefined;
  return new ClientProblem('schedule.refused', `schedule "${schedule}": ${error.message}`, { cause: error });
}

function missing(schedule: string, cause?: unknown): ClientProblem {
  return new ClientProblem('schedule.not-found', `there is no schedule "${schedule}"`, {
    hint: '`thermidor schedule list` shows them; `thermidor schedule apply` makes one for each `trigger:`',
    ...defined({ cause }),
  });
}
