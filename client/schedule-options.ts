import { createHash } from 'node:crypto';
import type { ScheduleOptions } from '@temporalio/client';
import { defined } from '../plan/defined';
import { type CronTrigger, scheduleIdOf } from '../plan/plan';
import type { RunInput } from '../plan/run/run-input';
import { jsonText } from '../plan/text/json-text';

/**
 * Converts a pipeline's `trigger:` to a Temporal Schedule, as a pure function.
 *
 * Invariants: 1. one schedule for each trigger, with an id of its own (`scheduleIdOf`); 2. a run that a schedule starts compiles the
 * pipeline's file at that time; 3. the digest says whether the file's wishes have changed.
 */
export interface WantedSchedule {
  pipeline: string;
  trigger: CronTrigger;
  description?: string;
  /** Name of a script that plays the agents of every run it starts. */
  script?: string;
}

/** Marks a schedule as one of ours: `--prune` touches no other. */
export const SCHEDULE_MARK = 'thermidor';

/** What `apply` remembers, in the action's memo, of what it applied. */
export interface AppliedSchedule {
  sha256: string;
  /** Whether the file itself said `paused`. */
  paused: boolean;
  /** Who applied it. Absent: unknown, and the next `apply` adopts it. */
  owner?: ScheduleOwner;
  /** Backfills whose runs may not have begun yet, the oldest first. */
  backfills?: AskedBackfill[];
}

/** Moments that were handed to the server at once: those from `from` to `to` that had no run. All ISO 8601. */
export interface AskedBackfill {
  id: string;
  at: string;
  from: string;
  to: string;
}

/** An installation, and the task queue that its workers serve. */
export interface ScheduleOwner {
  installation: string;
  taskQueue: string;
}
export const APPLIED_MEMO = 'thermidorSchedule';
export const PAUSED_BY_FILE = 'paused: true in the pipeline';

const OVERLAP = {
  skip: 'SKIP',
  buffer_one: 'BUFFER_ONE',
  buffer_all: 'BUFFER_ALL',
  cancel_other: 'CANCEL_OTHER',
  terminate_other: 'TERMINATE_OTHER',
  allow_all: 'ALLOW_ALL',
} as const satisfies Record<CronTrigger['overlap'], string>;

export function scheduleOptions(wanted: WantedSchedule, owner: ScheduleOwner): ScheduleOptions {
  const { taskQueue } = owner;
  const { pipeline, trigger, script, description } = wanted;
  const scheduleId = scheduleIdOf(pipeline, trigger);
  const input: RunInput = {};
  if (trigger.args !== undefined) input.args = trigger.args;
  if (script !== undefined) input.script = script;
  return {
    scheduleId,
    spec: {
      cronExpressions: [...trigger.expressions],
      timezone: trigger.timezone,
      ...defined({ jitter: trigger.jitterMs }),
    },
    policies: { overlap: OVERLAP[trigger.overlap], catchupWindow: trigger.catchupMs },
    action: {
      type: 'startWorkflow',
      workflowType: pipeline,
      workflowId: scheduleId,
      taskQueue,
      args: [input],
      memo: memoOf(wanted, owner),
    },
    memo: { [SCHEDULE_MARK]: { pipeline, ...defined({ description }) } },
    state: trigger.paused ? { paused: true, note: PAUSED_BY_FILE } : { paused: false },
  };
}

/** What `apply` remembers; of what it remembered before, the backfills. */
export function memoOf(wanted: WantedSchedule, owner: ScheduleOwner, before?: AppliedSchedule): Record<string, AppliedSchedule> {
  return { [APPLIED_MEMO]: { ...appliedBy(wanted, owner.taskQueue), owner, ...defined({ backfills: before?.backfills }) } };
}

/** The digest without the owner: a new owner that takes it over has not changed what it does. */
export function appliedBy(wanted: WantedSchedule, taskQueue: string): AppliedSchedule {
  const text = jsonText([wanted.pipeline, wanted.trigger, wanted.script ?? null, taskQueue]);
  return { sha256: createHash('sha256').update(text).digest('hex'), paused: wanted.trigger.paused === true };
}

/** The state of an existing schedule after `apply`: an operator's pause and note stay, unless the file changed its own mind. */
export function stateAfterApply(
  trigger: CronTrigger,
  before: { paused: boolean; note?: string | undefined },
  applied: AppliedSchedule | undefined,
): { paused: boolean; note?: string } {
  const inFile = trigger.paused === true;
  if (inFile !== (applied?.paused ?? false)) {
    if (inFile) return { paused: true, note: PAUSED_BY_FILE };
    if (before.note === PAUSED_BY_FILE) return { paused: false };
  }
  return before.note === undefined ? { paused: before.paused } : { paused: before.paused, note: before.note };
}
