import { randomUUID } from 'node:crypto';
import { defaultPayloadConverter } from '@temporalio/common';
import { deploymentOf, OWN_READS, READS_ENTRY, shortBuild } from '../plan/run/deployment';
import {
  DEPLOYMENT_LIMIT_MS,
  FAILED_PRECONDITION,
  type Joining,
  NOT_FOUND,
  PERMISSION_DENIED,
  statusOf,
  UNIMPLEMENTED,
  wordsOf,
} from './join-deployment';
import { LiveBuilds } from './live-builds';

export interface Served extends Omit<Joining, 'versions'> {
  /** It has told the server its version. Otherwise it is one of those that work with `versions: off`. */
  versioned: boolean;
  /** It takes nothing new any more, so it promotes nothing. */
  isStopping(): boolean;
}

export interface ServedTimes {
  /** After the first look; each pause is twice the one before, up to the next two. */
  firstMs: number;
  /** Between two looks while the worker gets no work. */
  waitingMs: number;
  /** Between two looks while it gets work. */
  calmMs: number;
  /** For so long nobody may have served the current version before another takes its place. */
  unservedMs: number;
}

const TIMES: ServedTimes = { firstMs: 100, waitingMs: 2_000, calmMs: 10_000, unservedMs: 8_000 };

/** What a look has found. `over`: there is nothing to look at. */
type Look = 'works' | 'waits' | 'over';

/**
 * Keeps a fleet working without a person: if no version is current, or no worker of the current one takes runs any more, this worker's own
 * becomes current. While the current one is served, this one waits to be promoted. Workers with `versions: off` do the same: they get
 * nothing as long as a version is current.
 *
 * Invariant: what is current changes by the server's conflict token alone, so of several workers that see the same one decides. A refused
 * change is not repeated before the next look.
 *
 * @returns a function that ends it
 */
export function keepVersionServed(own: Served, times = TIMES): () => void {
  const { connection, namespace, taskQueue, buildId, identity, versioned, isStopping, log } = own;
  const { workflowService: server } = connection;
  const deploymentName = deploymentOf(taskQueue);
  const wanted = versioned ? buildId : '';
  const live = new LiveBuilds({ connection, namespace, taskQueue });
  const call = <T>(request: () => Promise<T>): Promise<T> => connection.withDeadline(Date.now() + DEPLOYMENT_LIMIT_MS, request);
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  let unservedSinceMs: number | undefined;
  let hasTold = false;
  let said = '';

  const say = (level: 'info' | 'warn', words: string): void => {
    if (said !== words) log(level, words);
    said = words;
  };

  async function look(): Promise<Look> {
    const { conflictToken, workerDeploymentInfo } = await call(() => server.describeWorkerDeployment({ namespace, deploymentName }));
    const { versionSummaries, routingConfig } = workerDeploymentInfo ?? {};
    const isKnown = !versioned || (versionSummaries ?? []).some(({ deploymentVersion }) => deploymentVersion?.buildId === buildId);
    if (!isKnown) return 'waits';
    if (versioned && !hasTold) await tell();
    const current = routingConfig?.currentDeploymentVersion?.buildId ?? '';
    if (current === wanted) {
      unservedSinceMs = undefined;
      if (versioned) say('info', `version ${shortBuild(buildId)} is current: this worker takes work`);
      return 'works';
    }
    if ((current !== '' && (await isServed(current))) || isStopping()) return 'waits';
    const request = { namespace, deploymentName, buildId: wanted, identity, conflictToken, ignoreMissingTaskQueues: true };
    await call(() => server.setWorkerDeploymentCurrentVersion(request));
    unservedSinceMs = undefined;
    if (current !== '') log('warn', `nobody serves version ${shortBuild(current)} any more: workers of ${nameOf(wanted)} take its place`);
    return 'waits';
  }

  async function isServed(current: string): Promise<boolean> {
    if (await live.takesRuns(current)) {
      unservedSinceMs = undefined;
      const until = versioned ? `until \`thermidor fleet promote ${shortBuild(buildId)}\`` : 'as long as one of its workers runs';
      say('warn', `this worker takes no work: version ${shortBuild(current)} is current, ${until}`);
      return true;
    }
    unservedSinceMs ??= performance.now();
    return performance.now() - unservedSinceMs < times.unservedMs;
  }

  /** What the build can read: `fleet promote` pins the runs that another one could not. */
  async function tell(): Promise<void> {
    const upsertEntries = { [READS_ENTRY]: defaultPayloadConverter.toPayload(OWN_READS) };
    const deploymentVersion = { deploymentName, buildId };
    const request = { namespace, deploymentVersion, upsertEntries, identity, requestId: randomUUID() };
    await call(() => server.updateWorkerDeploymentVersionMetadata(request));
    hasTold = true;
  }

  function failed(error: unknown): Look {
    const status = statusOf(error);
    // Before the first poll of any worker there is no deployment: a worker without a version then has all work.
    if (status === NOT_FOUND) return versioned ? 'waits' : 'works';
    if (!versioned && (status === UNIMPLEMENTED || status === PERMISSION_DENIED)) return 'over';
    // Otherwise another worker was quicker: the next look finds what it did.
    if (versioned && status !== FAILED_PRECONDITION) say('warn', `cannot look after the version of this worker: ${wordsOf(error)}`);
    return 'waits';
  }

  async function again(pauseMs: number): Promise<void> {
    const found = await look().catch(failed);
    if (ended || isStopping() || found === 'over') return;
    const nextMs = Math.min(pauseMs, found === 'works' ? times.calmMs : times.waitingMs);
    timer = setTimeout(() => void again(nextMs * 2), nextMs).unref();
  }

  void again(times.firstMs);
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}

function nameOf(build: string): string {
  return build === '' ? '`versions: off`' : `version ${shortBuild(build)}`;
}
