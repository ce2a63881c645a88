import { type ScheduleDescription, ScheduleNotFoundError } from '@temporalio/client';
import { defined, unlessEmpty } from '../plan/defined';
import { isJsonObject } from '../plan/text/json';
import { ClientProblem } from './client-problem';
import type { ThermidorClient } from './connect';
import { frozenHookIn } from './hooks/applied-hook';
import { APPLIED_MEMO, type AppliedSchedule, type AskedBackfill, type ScheduleOwner } from './schedule-options';

/**
 * The owner of a schedule. Everybody who uses a namespace shares its schedules' names, so each carries its owner's id.
 *
 * Invariants: 1. only its owner changes, starts or deletes a schedule, or somebody who explicitly takes it over; 2. one without an owner is
 * free for those who serve its task queue, and becomes theirs when they apply it; 3. schedules are deleted without being named only if they
 * are the owner's, never if they are free.
 */
export interface Us {
  /** Absent: the state folder has no id yet, so it owns nothing. */
  installation?: string;
  taskQueue: string;
}

export type Belonging = 'ours' | 'free' | 'others';

/** @param schedule a schedule as the server describes it, and nothing of which is trusted: others may have made it */
export function belongingOf(schedule: Pick<ScheduleDescription, 'action'>, us: Us): Belonging {
  const { owner } = appliedTo(schedule) ?? {};
  if (!owner) return schedule.action.taskQueue === us.taskQueue ? 'free' : 'others';
  return owner.installation === us.installation && owner.taskQueue === us.taskQueue ? 'ours' : 'others';
}

/** The memo of `apply`; undefined if the schedule was made by other means. */
export function appliedTo({ action }: Pick<ScheduleDescription, 'action'>): AppliedSchedule | undefined {
  const memo: unknown = action.memo?.[APPLIED_MEMO];
  if (!isJsonObject(memo) || typeof memo['sha256'] !== 'string') return undefined;
  const [owner, backfills, hook] = [ownerIn(memo['owner']), backfillsIn(memo['backfills']), frozenHookIn(memo['hook'])];
  return { sha256: memo['sha256'], paused: memo['paused'] === true, ...defined({ owner, backfills: unlessEmpty(backfills), hook }) };
}

function backfillsIn(backfills: unknown): AskedBackfill[] {
  return (Array.isArray(backfills) ? backfills : []).filter(
    (one): one is AskedBackfill => isJsonObject(one) && ['id', 'at', 'from', 'to'].every((key) => typeof one[key] === 'string'),
  );
}

function ownerIn(owner: unknown): ScheduleOwner | undefined {
  if (!isJsonObject(owner)) return undefined;
  const { installation, taskQueue } = owner;
  return typeof installation === 'string' && typeof taskQueue === 'string' ? { installation, taskQueue } : undefined;
}

/** Undefined if there is none of that name. */
export async function describeSchedule(client: ThermidorClient, schedule: string): Promise<ScheduleDescription | undefined> {
  try {
    return await client.call(() => client.temporal.schedule.getHandle(schedule).describe());
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return undefined;
    throw error;
  }
}

export function notOurs(schedule: string, description: Pick<ScheduleDescription, 'action'>, us: Us): ClientProblem {
  const { owner } = appliedTo(description) ?? {};
  const isQueue = owner !== undefined && owner.installation === us.installation;
  const whose = isQueue
    ? `this installation’s workers of the task queue "${owner.taskQueue}"`
    : owner
      ? `another installation, ${owner.installation}`
      : `the installation that serves the task queue "${description.action.taskQueue}"`;
  const first = isQueue || !owner ? `give --task-queue ${description.action.taskQueue}` : 'type this where its state folder is';
  return new ClientProblem('schedule.not-ours', `the schedule "${schedule}" belongs to ${whose}`, {
    hint: `${first}; or give the pipeline another name; or take the schedule over with \`thermidor schedule apply FILE --take-over\``,
    details: { schedule, ...defined({ owner }), taskQueue: description.action.taskQueue },
  });
}
