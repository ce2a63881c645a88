import { ApplicationFailure, CancelledFailure, Context } from '@temporalio/activity';
import { WorkflowNotFoundError } from '@temporalio/client';
import { SPAWN_SIGNAL } from '../plan/agents/spawned-agent';
import { TASK_SIGNAL } from '../plan/board/asked-task';
import { defined } from '../plan/defined';
import { FAILURES, ThermidorFailure } from '../plan/run/failure';
import { isJsonObject } from '../plan/text/json';
import { payloadText } from '../plan/text/json-text';
import { copyField } from '../plan/text/spelled-json';
import type { ActivityCall } from './activity-call';
import type { Log } from './log';
import type { CallSeals } from './ports';
import { queuesOn } from './queue/temporal-queues';
import type { QueueAsker } from './queue-port';
import type { TeamAsker } from './team-port';

/** The only file of this folder, with create-activities.ts, that knows Temporal: its context, and how failures cross it. */

/** Temporal's data on the running activity; `run` comes from its input, because it outlives an execution. */
export function currentCall(run: string): ActivityCall {
  const context = Context.current();
  const { info, cancellationSignal, heartbeat } = context;
  const [begunMs, hereMs] = [performance.now(), Date.now()];
  return {
    key: { workflowId: info.workflowExecution?.workflowId ?? '', run },
    ...defined({ execution: info.workflowExecution?.runId }),
    id: info.activityId,
    attempt: info.attempt,
    scheduledAtMs: info.currentAttemptScheduledTimestampMs,
    serverNowMs: async () => (await startedAt(context, hereMs)) + performance.now() - begunMs,
    signal: cancellationSignal,
    isCancelled: () => context.cancellationDetails?.cancelRequested === true,
    heartbeat,
    wake: (other) => wake(context, other),
    notes: {},
  };
}

/**
 * The input of an activity as the workflow sends it: without the run if the sending execution is the run's first, and sealed unless it is
 * local. For an empty input only the seal is sent.
 */
export type SentInput<I extends { run: string }> = (Omit<I, 'run'> & { run?: string; seal?: string }) | Uint8Array;

/**
 * The content of a call, once it is known that our own workflow code sent it, for the execution that the server names. Only this worker's
 * own workflow code begins a local activity. Fails with `call.unproven`, `store.unavailable`.
 */
export async function received<I extends { run: string }>(seals: CallSeals, sent: SentInput<I> | undefined): Promise<I> {
  const { activityId, activityType, isLocal, workflowExecution, workflowNamespace } = Context.current().info;
  if (!workflowExecution || workflowNamespace === undefined)
    throw unproven(`${activityType} is called by no workflow: only runs and merge queues of Thermidor call it`);
  const { seal, ...input }: { seal?: unknown } =
    sent instanceof Uint8Array ? { seal: Buffer.from(sent).toString('base64url') } : isJsonObject(sent) ? sent : {};
  // The seal covers the text, with numbers as they were written.
  if (isJsonObject(sent)) for (const key of Object.keys(input)) copyField(sent, key, input);
  const { workflowId, runId: execution } = workflowExecution;
  const call = { namespace: workflowNamespace, workflowId, execution, activityId, activity: activityType };
  if (!isLocal && !(typeof seal === 'string' && (await seals.isOurs(call, payloadText(input), seal))))
    throw unproven(
      `${activityType} is called by ${workflowId} without the seal of a worker of this store: workers of one task queue share one store and its key`,
    );
  return Object.assign(input, { run: execution, ...input }) as I;
}

function unproven(message: string): ThermidorFailure {
  return new ThermidorFailure('call.unproven', message);
}

/** An attempt that seems to be here so soon has not waited for a worker, unless the clocks differ by as much. */
const SOON_MS = 1000;

/**
 * When the server gave out the attempt, by its clock; `hereMs` is when it arrived, by this machine's. If it is here soon, that was when it
 * was scheduled, or at most a moment later: a clock that is ahead by a moment must not end a time before it is up for the server, which
 * would give out the same work again and again. If it has waited for a worker, or the clocks differ, only the server knows. One that cannot
 * say so leaves this machine's clock.
 */
export async function startedAt({ client, info }: Pick<Context, 'client' | 'info'>, hereMs: number): Promise<number> {
  const scheduledMs = info.currentAttemptScheduledTimestampMs;
  const { workflowId, runId } = info.workflowExecution ?? {};
  if (workflowId === undefined) return hereMs;
  if (hereMs >= scheduledMs && hereMs < scheduledMs + SOON_MS) return scheduledMs;
  const describing = () => client.workflow.getHandle(workflowId, runId).describe();
  const described = await client.withDeadline(Date.now() + WAKE_MS, describing).catch(() => undefined);
  const pending = described?.raw.pendingActivities?.find(({ activityId }) => activityId === info.activityId);
  const { seconds, nanos } = pending?.lastStartedTime ?? {};
  return seconds ? Number(seconds) * 1000 + Math.floor((nanos ?? 0) / 1_000_000) : hereMs;
}

async function wake({ client, info }: Context, other?: { workflowId: string; step: string }): Promise<void> {
  const { workflowId, step } = other ?? { workflowId: info.workflowExecution?.workflowId ?? '', step: info.activityId };
  const handle = client.workflow.getHandle(workflowId);
  await client.withDeadline(Date.now() + WAKE_MS, () => handle.signal(SPAWN_SIGNAL, { step }));
}

/** The merge queues of the server that the activity which is running comes from. */
export function queueAsker(taskQueue: string): QueueAsker {
  const { client } = Context.current();
  const queues = queuesOn(client.workflow, taskQueue, (work) => client.withDeadline(Date.now() + WAKE_MS, work));
  return {
    ...queues,
    ask: (queue, asked) => queues.ask(queue, asked).catch(unavailable(queue, 'takes no ticket')),
    drop: (queue, ticket) => queues.drop(queue, ticket).catch(unavailable(queue, 'drops no ticket')),
  };
}

/** The teams of the server that the activity which is running comes from. */
export function teamAsker(): TeamAsker {
  const { client } = Context.current();
  return {
    async ask(team, asked) {
      try {
        await client.withDeadline(Date.now() + WAKE_MS, () => client.workflow.getHandle(team).signal(TASK_SIGNAL, asked));
        return true;
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return false;
        throw new ThermidorFailure('task.unreachable', `${team} cannot be asked: ${causeOf(error)}`, { team });
      }
    },
  };
}

function unavailable(queue: string, problem: string): (error: unknown) => never {
  return (error) => {
    throw new ThermidorFailure('queue.unavailable', `the merge queue ${queue} ${problem}: ${causeOf(error)}`, { queue });
  };
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

/** How long the server may take to wake the run: the agent waits meanwhile. */
const WAKE_MS = 5000;

/** Runs an activity's work; its errors are converted for Temporal. */
export async function bound<T>(log: Log, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { cancellationSignal } = Context.current();
    // Whatever the work says after it was cancelled, that is why it ended.
    if (cancellationSignal.aborted) throw cancelled(cancellationSignal.reason);
    throw toApplicationFailure(error, log, Context.current().info.isLocal);
  }
}

function cancelled(reason: unknown): CancelledFailure {
  return reason instanceof CancelledFailure ? reason : new CancelledFailure('the activity was cancelled');
}

/**
 * The type is the code. Temporal itself retries only failures that are nobody's fault (plan/run/failure.ts); a bug is not retried either.
 */
export function toApplicationFailure(error: unknown, log: Log, isLocal = false): ApplicationFailure {
  if (error instanceof ApplicationFailure) return error;
  if (!(error instanceof ThermidorFailure)) {
    log('error', 'an activity failed', { error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    const message = error instanceof Error ? error.message : String(error);
    return ApplicationFailure.create({ message: `unexpected: ${message}`, type: 'internal', nonRetryable: true });
  }
  const { code, message, details, retryAfterMs, work } = error;
  return ApplicationFailure.create({
    message,
    type: code,
    // No other worker would retry a local activity: another one takes the workflow task.
    nonRetryable: FAILURES[code].retried !== 'temporal' || (code === 'worker.too-old' && isLocal),
    ...(work ? { details: [details ?? null, work] } : details === undefined || details === null ? {} : { details: [details] }),
    ...defined({ nextRetryDelay: retryAfterMs }),
  });
}
