import {
  ActivityCancellationType,
  ActivityFailure,
  ApplicationFailure,
  CancelledFailure,
  isCancellation,
  scheduleActivity,
  scheduleLocalActivity,
  TimeoutFailure,
  workflowInfo,
} from '@temporalio/workflow';
import { isUsage } from '../../plan/budgets/usage';
import { defined, unlessEmpty } from '../../plan/defined';
import { isArtifactRef } from '../../plan/run/artifact';
import { type ActivityName, capabilityQueue } from '../../plan/run/contract';
import { bug, type FailedWork, type FailureCode, isFailureCode, ThermidorFailure } from '../../plan/run/failure';
import { isJournalEvents } from '../../plan/run/journal';
import { hostQueue, isWorktreeSaved } from '../../plan/run/worktree';
import { isJsonObject, type Json } from '../../plan/text/json';
import { copyField } from '../../plan/text/spelled-json';
import { type ActivityArgument, type ActivityOptions, type ActivityResult, Cancelled, NotStarted } from '../run-context';
import { MarkedInput } from './payload-converter';

/** Pauses between attempts after failures that are nobody's fault: at once, then up to every ten seconds. */
const RETRY = { initialInterval: 200, backoffCoefficient: 2, maximumInterval: 10_000 };
/**
 * Retries of a local activity, which keeps its workflow task open. Longer pauses are timers, so that a task ends before the SDK must extend
 * it: signals of an extended task are replayed together with the task's own. Each attempt is in the history, so they are fewer.
 */
const LOCAL_RETRY = { retry: { ...RETRY, maximumInterval: 60_000 }, localRetryThreshold: 2_000 };

export function callLocal<N extends ActivityName>(
  name: N,
  input: ActivityArgument<N>,
  options: ActivityOptions,
): Promise<ActivityResult<N>> {
  const args = withoutOwnRun(input);
  return scheduleLocalActivity(name, Object.keys(args).length === 0 ? [] : [args], {
    startToCloseTimeout: options.startToCloseMs,
    ...LOCAL_RETRY,
    ...defined({ scheduleToCloseTimeout: options.scheduleToCloseMs }),
  });
}

export function call<N extends ActivityName>(name: N, input: ActivityArgument<N>, options: ActivityOptions): Promise<ActivityResult<N>> {
  return schedule<ActivityResult<N>>(name, input, options);
}

/** @param name of an activity that returns a `T` */
export function schedule<T>(name: string, input: { run: string }, options: ActivityOptions): Promise<T> {
  const marked = new MarkedInput({ execution: workflowInfo().runId, activity: name }, withoutOwnRun(input));
  return scheduleActivity<T>(name, [marked], {
    startToCloseTimeout: options.startToCloseMs,
    retry: RETRY,
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    ...defined({
      activityId: options.address,
      scheduleToCloseTimeout: options.scheduleToCloseMs,
      heartbeatTimeout: options.heartbeatMs,
      scheduleToStartTimeout: options.scheduleToStartMs,
      summary: options.summary,
    }),
    ...taskQueueOf(options),
    ...defined({ priority: options.priority && { priorityKey: options.priority } }),
  });
}

function taskQueueOf({ host, queue }: ActivityOptions): { taskQueue?: string } {
  if (host !== undefined) return { taskQueue: hostQueue(workflowInfo().taskQueue, host) };
  return queue === undefined ? {} : { taskQueue: capabilityQueue(workflowInfo().taskQueue, queue) };
}

/**
 * Leaves out the run if the activity's own execution is the first of the run, which saves a few bytes of history for each step.
 * `activities/temporal-call.ts` puts it back.
 */
function withoutOwnRun(input: { run: string }): object {
  const sent = {};
  const isOwn = input.run === workflowInfo().runId;
  for (const key of Object.keys(input)) if (key !== 'run' || !isOwn) copyField(input, key, sent);
  return sent;
}

/**
 * Whether a worker has refused a call because its seal is not one of ours. A call that this execution makes now is sealed, so it was made
 * before that: by a worker of a version that seals nothing, with a key that was replaced since, or before the run was reset.
 */
export function isUnproven(error: unknown): boolean {
  return error instanceof ActivityFailure && error.cause instanceof ApplicationFailure && error.cause.type === UNPROVEN;
}

const UNPROVEN = 'call.unproven' satisfies FailureCode;

/** An activity's failure, in the interpreter's words. Anything else is a bug and stays unchanged. */
export function translated(error: unknown): unknown {
  if (isCancellation(error) || error instanceof CancelledFailure) return new Cancelled();
  // What a local activity failed with comes as it is, with no failure of an activity around it.
  const [cause, activity] = error instanceof ActivityFailure ? [error.cause, error.activityType] : [error, 'a local activity'];
  // Whatever an attempt before failed of: its host takes up no more.
  if (cause instanceof TimeoutFailure && cause.timeoutType === 'SCHEDULE_TO_START') return new NotStarted();
  if (cause instanceof ApplicationFailure) return failureOf(cause);
  // A call that was retried until its time was up has failed with its last attempt's failure.
  if (cause instanceof TimeoutFailure && cause.cause instanceof ApplicationFailure) return failureOf(cause.cause);
  if (cause instanceof TimeoutFailure)
    return new ThermidorFailure('worker.lost', `the worker of ${activity} stopped answering: ${cause.message}`);
  return error instanceof ActivityFailure ? bug(error.cause?.message ?? error.message) : error;
}

function failureOf({ type, message, details }: ApplicationFailure): ThermidorFailure {
  const code = type ?? '';
  const said = (details?.[0] ?? undefined) as Json | undefined;
  const work = workIn(details?.[1]);
  return new ThermidorFailure(isFailureCode(code) ? code : 'internal', message, said, undefined, work);
}

function workIn(value: unknown): FailedWork | undefined {
  if (!isJsonObject(value)) return undefined;
  const usage: unknown = value['usage'];
  const toolCalls: unknown = value['toolCalls'];
  const requests: unknown = value['requests'];
  const journal: unknown = value['journal'];
  const worktree: unknown = value['worktree'];
  const begun: unknown = value['begun'];
  const context: unknown = value['context'];
  const work: FailedWork = defined({
    usage: isUsage(usage) ? usage : undefined,
    toolCalls: typeof toolCalls === 'number' ? toolCalls : undefined,
    requests: typeof requests === 'number' ? requests : undefined,
    journal: isJournalEvents(journal) ? journal : undefined,
    worktree: isWorktreeSaved(worktree) ? worktree : undefined,
    begun: isTimes(begun) ? begun : undefined,
    context: isArtifactRef(context) ? context : undefined,
  });
  return unlessEmpty(work);
}

function isTimes(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((time) => typeof time === 'number');
}
