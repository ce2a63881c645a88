import { type DescribeWorkflowExecutionResponse, WorkflowNotFoundError } from '@temporalio/client';
import type { Payload } from '@temporalio/common';
import { defined } from '../plan/defined';
import type { ActivityName } from '../plan/run/contract';
import { field, isJsonObject, type Json } from '../plan/text/json';
import { ClientProblem } from './client-problem';
import type { ThermidorClient } from './connect';
import { unlessForgotten } from './ended-runs';
import { summaryOf } from './list-runs';
import { messageOf, openedPayloads } from './payloads';
import type { RunSummary } from './run-summary';

/** What the server knows of an activity that is in progress. Times are ISO 8601. */
export interface PendingActivity {
  /** The address of the step's try; in a chain, of the running step. */
  address: string;
  /** `paused`: by an operator of the server, who alone continues it. */
  state: 'scheduled' | 'started' | 'paused';
  /** From 1. */
  attempt: number;
  since?: string;
  heartbeat?: string;
  lastFailure?: string;
  worker?: string;
  /** The task queue on which it is, or was taken. Absent: an old server does not say. */
  queue?: string;
  /** When it is tried again. */
  nextAttempt?: string;
  /** It could have been taken a while ago, and nobody has. */
  untaken?: true;
  /** How far it is, by its last heartbeat. */
  progress?: WorkProgress;
}

export type WorkProgress =
  /** The turn of an agent that is in progress. */
  | { kind: 'agent'; turn: number }
  /** The steps of a sequence share one activity: the times of the ended ones, in order, and when the running one began. */
  | { kind: 'chain'; done: readonly { startedAt: string; endedAt: string; failed?: true }[]; startedAt?: string };

/** What the server knows of a run without asking it: whether it is closed and how, and every activity in progress. */
export interface ServerKnowledge {
  summary: RunSummary;
  underWay: PendingActivity[];
  /** The build of workers that alone gets its work. */
  pinnedTo?: string;
}

/** Fails with `run.not-found`. */
export async function readPendingActivities(client: ThermidorClient, run: string, limitMs?: number): Promise<ServerKnowledge> {
  try {
    return await unlessForgotten(
      client,
      run,
      async () => {
        const described = await client.call(() => client.temporal.workflow.getHandle(run).describe(), limitMs);
        const pending = described.raw.pendingActivities ?? [];
        const underWay = await Promise.all(pending.map((one) => readPending(client, one)));
        return { summary: summaryOf(described), underWay, ...defined({ pinnedTo: pinnedTo(described.raw) }) };
      },
      ({ summary }) => ({ summary, underWay: [] }),
    );
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) throw new ClientProblem('run.not-found', `there is no run "${run}"`, { cause: error });
    throw error;
  }
}

/** The server's enum VersioningBehavior. */
const PINNED = 1;

function pinnedTo({ workflowExecutionInfo }: DescribeWorkflowExecutionResponse): string | undefined {
  const { behavior, deploymentVersion, versioningOverride } = workflowExecutionInfo?.versioningInfo ?? {};
  if (versioningOverride?.autoUpgrade) return undefined;
  return versioningOverride?.pinned?.version?.buildId || (behavior === PINNED ? deploymentVersion?.buildId : undefined) || undefined;
}

type Pending = NonNullable<DescribeWorkflowExecutionResponse['pendingActivities']>[number];
type Stamp = Pending['lastHeartbeatTime'];

/** The server's enum PendingActivityState: 2 is started. */
const STARTED = 2;
const AGENT: ActivityName = 'agent';
const CHAIN: ActivityName = 'commands';

async function readPending(client: ThermidorClient, pending: Pending): Promise<PendingActivity> {
  const started = pending.state === STARTED;
  const beat = await decode(client, pending.heartbeatDetails?.payloads ?? []);
  const progress = readProgress(pending.activityType?.name, beat);
  const began = progress?.kind === 'chain' ? progress.startedAt : undefined;
  const since = started ? (began ?? isoOf(pending.lastStartedTime)) : isoOf(pending.scheduledTime);
  const heartbeat = isoOf(pending.lastHeartbeatTime);
  const due = pending.lastFailure && !started && !pending.paused ? isoOf(pending.scheduledTime) : undefined;
  const next = due !== undefined && Date.parse(due) > Date.now() ? due : undefined;
  const trouble = field(beat, 'trouble');
  const problem = typeof trouble === 'string' && started ? trouble : await messageOf(client, pending.lastFailure);
  const step = progress?.kind === 'chain' ? field(beat, 'step') : undefined;
  return {
    address: typeof step === 'string' ? step : (pending.activityId ?? ''),
    state: pending.paused ? 'paused' : started ? 'started' : 'scheduled',
    attempt: pending.attempt ?? 1,
    ...defined({
      since,
      heartbeat,
      lastFailure: problem || undefined,
      worker: pending.lastWorkerIdentity || undefined,
      queue: pending.activityOptions?.taskQueue?.name || undefined,
      nextAttempt: next,
      untaken: !started && !pending.paused && Date.now() - msOf(pending.scheduledTime) > SOON_MS ? (true as const) : undefined,
      progress,
    }),
  };
}

/** A worker with a free place takes work within milliseconds. */
const SOON_MS = 1_000;

/** Leniently: a worker that has just begun reports less. */
function readProgress(activity: string | null | undefined, beat: Json | undefined): WorkProgress | undefined {
  const turn = field(beat, 'turn');
  if (activity === AGENT) return typeof turn === 'number' ? { kind: 'agent', turn } : undefined;
  if (activity !== CHAIN || typeof field(beat, 'step') !== 'string') return undefined;
  const startedAt = isoAt(field(beat, 'startedAtMs'));
  const listed = field(beat, 'done');
  const done = (Array.isArray(listed) ? listed : []).flatMap((one) => {
    const [began, ended] = [isoAt(field(one, 'startedAtMs')), isoAt(field(one, 'endedAtMs'))];
    const failed = field(one, 'failed') === true ? { failed: true as const } : {};
    return began === undefined || ended === undefined ? [] : [{ startedAt: began, endedAt: ended, ...failed }];
  });
  return { kind: 'chain', done, ...defined({ startedAt }) };
}

/** The first of the details, by the client's own converter. */
async function decode(client: ThermidorClient, payloads: Payload[]): Promise<Json | undefined> {
  if (payloads.length === 0) return undefined;
  const { payloadConverter } = client.temporal.options.loadedDataConverter;
  const plain = await openedPayloads(client, payloads);
  const value: unknown = plain[0] === undefined ? undefined : payloadConverter.fromPayload(plain[0]);
  return isJsonObject(value) ? value : undefined;
}

function isoOf(stamp: Stamp): string | undefined {
  return isoAt(msOf(stamp));
}

function msOf(stamp: Stamp): number {
  return Number(stamp?.seconds ?? 0) * 1000 + Math.floor((stamp?.nanos ?? 0) / 1_000_000);
}

function isoAt(ms: Json | undefined): string | undefined {
  return typeof ms === 'number' && ms > 0 ? new Date(ms).toISOString() : undefined;
}
