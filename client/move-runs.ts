import { QUEUE_WORKFLOW } from '../plan/queue/ticket';
import type { BuildReads } from '../plan/run/deployment';
import type { VersionsOfRun } from '../plan/run/worker-version';
import type { ThermidorClient } from './connect';
import { isNotFound } from './error-cause';
import { type FleetVersion, type FleetVersions, heldBy } from './fleet-versions';

/** An open run or merge queue. */
export interface HeldRun {
  run: string;
  /** The id of its first execution, by which the store knows it. */
  firstRunId: string;
  pipeline: string;
}

/** What the store says that a run was opened with; undefined: it is not open yet, and any version can read it. */
export type NeedsOf = (run: HeldRun) => Promise<VersionsOfRun | undefined>;

/** Pins the open runs that a version cannot read to the versions that hold them. @returns the pinned ones */
export async function pinUnreadable(
  client: ThermidorClient,
  { deployment, versions }: FleetVersions,
  to: FleetVersion,
  needsOf: NeedsOf,
): Promise<string[]> {
  const pinned: string[] = [];
  for (const from of versions) {
    if (from.build === to.build || readsAll(to, from)) continue;
    for (const held of await heldRuns(client, from.build)) {
      if (await canRead(to, from, held, needsOf)) continue;
      if (await override(client, held.run, pinnedTo(deployment, from.build))) pinned.push(held.run);
    }
  }
  return pinned;
}

export interface Moved {
  moved: string[];
  /** Runs that the other version cannot read. */
  left: string[];
}

/**
 * Moves the open runs of a version. To the current one they go as runs that follow it, unless their workers pin runs: then, and to another
 * version, they are pinned there.
 */
export async function moveRuns(
  client: ThermidorClient,
  { deployment, current }: FleetVersions,
  from: FleetVersion,
  to: FleetVersion,
  needsOf: NeedsOf,
): Promise<Moved> {
  const found: Moved = { moved: [], left: [] };
  for (const held of await heldRuns(client, from.build)) {
    if (!(await canRead(to, from, held, needsOf))) {
      found.left.push(held.run);
      continue;
    }
    const follows = to.build === current && !(await isOfPinningWorkers(client, held.run));
    const way: Override = follows ? { autoUpgrade: true } : pinnedTo(deployment, to.build);
    if (await override(client, held.run, way)) found.moved.push(held.run);
  }
  return found;
}

type Override = { autoUpgrade: true } | ReturnType<typeof pinnedTo>;

/** Values of the server's enums VersioningBehavior and PinnedOverrideBehavior. */
const PINNED_BEHAVIOUR = 1;
const PINNED_OVERRIDE = 1;

function pinnedTo(deploymentName: string, buildId: string) {
  return { pinned: { behavior: PINNED_OVERRIDE, version: { deploymentName, buildId } } };
}

async function isOfPinningWorkers(client: ThermidorClient, run: string): Promise<boolean> {
  const { namespace } = client;
  const request = { namespace, execution: { workflowId: run } };
  const { workflowExecutionInfo } = await client.call(() => client.temporal.workflowService.describeWorkflowExecution(request));
  return workflowExecutionInfo?.versioningInfo?.behavior === PINNED_BEHAVIOUR;
}

/** @returns false if the run has ended meanwhile */
async function override(client: ThermidorClient, run: string, versioningOverride: Override): Promise<boolean> {
  const { namespace } = client;
  const request = {
    namespace,
    workflowExecution: { workflowId: run },
    workflowExecutionOptions: { versioningOverride },
    updateMask: { paths: ['versioning_override'] },
  };
  try {
    await client.call(() => client.temporal.workflowService.updateWorkflowExecutionOptions(request));
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

/** A version that has not said what it reads. */
const LEAST: BuildReads = { run: 1, language: 1, queue: 1 };

/** Versions of a fleet mostly read the same, and then no run is asked. */
function readsAll({ reads: has = LEAST }: FleetVersion, { reads: had = LEAST }: FleetVersion): boolean {
  return had.run <= has.run && had.language <= has.language && had.queue <= has.queue;
}

async function canRead(to: FleetVersion, from: FleetVersion, held: HeldRun, needsOf: NeedsOf): Promise<boolean> {
  if (readsAll(to, from)) return true;
  const { reads: has = LEAST } = to;
  if (held.pipeline === QUEUE_WORKFLOW) return (from.reads ?? LEAST).queue <= has.queue;
  const { version = 1, irVersion } = (await needsOf(held)) ?? {};
  return version <= has.run && (typeof irVersion !== 'number' || irVersion <= has.language);
}

async function heldRuns(client: ThermidorClient, build: string): Promise<HeldRun[]> {
  const { namespace } = client;
  const found: HeldRun[] = [];
  let nextPageToken: Uint8Array | undefined;
  do {
    const request = { namespace, query: heldBy(client, build), ...(nextPageToken ? { nextPageToken } : {}) };
    const page = await client.call(() => client.temporal.workflowService.listWorkflowExecutions(request));
    for (const { execution, type, firstRunId } of page.executions ?? []) {
      const run = execution?.workflowId ?? '';
      found.push({ run, firstRunId: firstRunId || (execution?.runId ?? ''), pipeline: type?.name ?? '' });
    }
    nextPageToken = page.nextPageToken?.length ? page.nextPageToken : undefined;
  } while (nextPageToken);
  return found;
}
