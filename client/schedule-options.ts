import { createHash } from 'node:crypto';
import type { ScheduleOptions } from '@temporalio/client';
import { defined } from '../plan/defined';
import { type AppliedTrigger, type CronTrigger, type Plan, scheduleIdOf } from '../plan/plan';
import type { RunInput } from '../plan/run/run-input';
import { jsonText } from '../plan/text/json-text';
import type { FrozenHook } from './hooks/applied-hook';

/**
 * Converts a pipeline's `trigger:` to a Temporal Schedule, as a pure function.
 *
 * Invariants: 1. one schedule for each trigger, with an id of its own (`scheduleIdOf`); 2. a run that a schedule starts compiles the
 * pipeline's file at that time; 3. the digest says whether the file's wishes have changed; 4. the schedule of a web hook has no times, so
 * that the server starts nothing of it: it has an owner, a pause and what listeners need (`hooks/`).
 */
export interface WantedSchedule {
  pipeline: string;
  trigger: AppliedTrigger;
  /** The args that the pipeline takes: those of a delivery are checked before a run starts. */
  takes?: Pick<Plan, 'args' | 'context'>;
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
  /** Absent: it is a schedule of times. */
  hook?: FrozenHook;
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
  if (trigger.kind === 'cron' && trigger.args !== undefined) input.args = trigger.args;
  if (script !== undefined) input.script = script;
  return {
    scheduleId,
    ...timesOf(trigger),
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

function timesOf(trigger: AppliedTrigger): Pick<ScheduleOptions, 'spec' | 'policies'> {
  if (trigger.kind === 'webhook') return { spec: {} };
  const { expressions, timezone, jitterMs, overlap, catchupMs } = trigger;
  return {
    spec: { cronExpressions: [...expressions], timezone, ...defined({ jitter: jitterMs }) },
    policies: { overlap: OVERLAP[overlap], catchupWindow: catchupMs },
  };
}

/** What `apply` remembers; of what it remembered before, the backfills. */
export function memoOf(wanted: WantedSchedule, owner: ScheduleOwner, before?: AppliedSchedule): Record<string, AppliedSchedule> {
  const { trigger, takes = {} } = wanted;
  const hook = trigger.kind === 'webhook' ? { trigger, takes } : undefined;
  return { [APPLIED_MEMO]: { ...appliedBy(wanted, owner.taskQueue), owner, ...defined({ hook, backfills: before?.backfills }) } };
}

/** The digest without the owner: a new owner that takes it over has not changed what it does. */
export function appliedBy(wanted: WantedSchedule, taskQueue: string): AppliedSchedule {
  const takes = wanted.trigger.kind === 'webhook' ? [wanted.takes ?? {}] : [];
  const text = jsonText([wanted.pipeline, wanted.trigger, wanted.script ?? null, taskQueue, ...takes]);
  return { sha256: createHash('sha256').update(text).digest('hex'), paused: wanted.trigger.paused === true };
}

/** The state of an existing schedule after `apply`: an operator's pause and note stay, unless the file changed its own mind. */
export function stateAfterApply(
  trigger: Pick<AppliedTrigger, 'paused'>,
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
