import { ScheduleAlreadyRunning, type ScheduleDescription } from '@temporalio/client';
import { defined } from '../plan/defined';
import { scheduleIdOf } from '../plan/plan';
import { field } from '../plan/text/json';
import type { ThermidorClient } from './connect';
import { appliedBy, memoOf, type ScheduleOwner, scheduleOptions, stateAfterApply, type WantedSchedule } from './schedule-options';
import { appliedTo, belongingOf, describeSchedule, notOurs, type Us } from './schedule-owner';
import { listOwnedSchedules, refused } from './schedules';

/** What `apply` does with one schedule. `adopted`: it had no owner. `taken-over`: it belonged to another installation. */
export type Applied = 'created' | 'updated' | 'unchanged' | 'adopted' | 'taken-over' | 'deleted';

export interface AppliedResult {
  schedule: string;
  done: Applied;
  paused: boolean;
}

export interface ApplyOptions {
  /** Take the schedule over even if another installation owns it. */
  takeOver?: boolean;
}

/**
 * Makes the server's schedule match a pipeline's file. Repeating it changes nothing. Fails with `schedule.not-ours`, and then changes
 * nothing.
 */
export async function applySchedule(
  client: ThermidorClient,
  owner: ScheduleOwner,
  wanted: WantedSchedule,
  how: ApplyOptions = {},
): Promise<AppliedResult> {
  const schedule = scheduleOf(wanted);
  const options = scheduleOptions(wanted, owner);
  const result: AppliedResult = { schedule, done: 'created', paused: options.state?.paused === true };
  try {
    await client.call(() => client.temporal.schedule.create(options));
    return result;
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw refused(error, schedule) ?? error;
  }
  try {
    await client.call(() =>
      client.temporal.schedule.getHandle(schedule).update((before) => {
        Object.assign(result, outcomeFor(wanted, owner, before, how));
        const { spec, policies } = options;
        const action = { ...options.action, memo: memoOf(wanted, owner, appliedTo(before)) };
        return { spec, action, state: stateAfter(wanted, before), ...defined({ policies }) };
      }),
    );
  } catch (error) {
    throw refused(error, schedule) ?? error;
  }
  // If two take it at once, the server keeps the later one and tells neither.
  const isTaken = result.done === 'adopted' || result.done === 'taken-over';
  const after = isTaken ? await describeSchedule(client, schedule) : undefined;
  if (after && belongingOf(after, owner) !== 'ours') throw notOurs(schedule, after, owner);
  return result;
}

/** What applying the schedule would do. Changes nothing. */
export async function previewSchedule(
  client: ThermidorClient,
  us: Us,
  wanted: WantedSchedule,
  how: ApplyOptions = {},
): Promise<AppliedResult> {
  const schedule = scheduleOf(wanted);
  const before = await describeSchedule(client, schedule);
  if (before) return outcomeFor(wanted, us, before, how);
  return { schedule, done: 'created', paused: wanted.trigger.paused === true };
}

/** Throws if the schedule belongs to somebody else. */
function outcomeFor(wanted: WantedSchedule, us: Us, before: ScheduleDescription, { takeOver }: ApplyOptions): AppliedResult {
  const schedule = scheduleOf(wanted);
  const belongs = belongingOf(before, us);
  if (belongs === 'others' && takeOver !== true) throw notOurs(schedule, before, us);
  const done =
    belongs === 'others' ? 'taken-over' : belongs === 'free' ? 'adopted' : isApplied(wanted, us, before) ? 'unchanged' : 'updated';
  return { schedule, done, paused: stateAfter(wanted, before).paused };
}

function stateAfter({ trigger }: WantedSchedule, before: ScheduleDescription): { paused: boolean; note?: string } {
  return stateAfterApply(trigger, before.state, appliedTo(before));
}

function isApplied(wanted: WantedSchedule, { taskQueue }: Us, before: ScheduleDescription): boolean {
  return appliedTo(before)?.sha256 === appliedBy(wanted, taskQueue).sha256;
}

/** Our schedules that are not among `keep`, by their ids. A schedule without an owner is deleted only by name. */
export async function schedulesToPrune(client: ThermidorClient, us: Us, keep: ReadonlySet<string>): Promise<AppliedResult[]> {
  const all = await listOwnedSchedules(client, us);
  return all.flatMap(({ schedule, belongs, ours, paused }) =>
    ours && belongs === 'ours' && !keep.has(schedule) ? [{ schedule, done: 'deleted' as const, paused }] : [],
  );
}

/** How a trigger in a pipeline's file relates to the server's schedule. */
export interface TriggerState {
  pipeline: string;
  schedule: string;
  state: 'applied' | 'not-applied' | 'differs' | 'of-others';
}

/** Whether triggers match the server's schedules. A script belongs to the schedule: a file has none. */
export async function triggerStates(client: ThermidorClient, us: Us, wanted: readonly WantedSchedule[]): Promise<TriggerState[]> {
  const found: TriggerState[] = [];
  for (const one of wanted) {
    const before = await describeSchedule(client, scheduleOf(one));
    found.push({ pipeline: one.pipeline, schedule: scheduleOf(one), state: stateOf(one, us, before) });
  }
  return found;
}

function stateOf(wanted: WantedSchedule, us: Us, before: ScheduleDescription | undefined): TriggerState['state'] {
  if (!before) return 'not-applied';
  if (belongingOf(before, us) === 'others') return 'of-others';
  return isApplied({ ...wanted, ...scriptOf(before) }, us, before) ? 'applied' : 'differs';
}

/** The script that plays the agents of its runs. */
export function scriptOf({ action }: Pick<ScheduleDescription, 'action'>): Pick<WantedSchedule, 'script'> {
  const [input]: readonly unknown[] = action.args ?? [];
  const script = field(input, 'script');
  return typeof script === 'string' ? { script } : {};
}

export function scheduleOf({ pipeline, trigger }: Pick<WantedSchedule, 'pipeline' | 'trigger'>): string {
  return scheduleIdOf(pipeline, trigger);
}
