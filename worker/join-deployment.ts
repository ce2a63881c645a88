import { randomUUID } from 'node:crypto';
import { defaultPayloadConverter } from '@temporalio/common';
import type { NativeConnection, WorkerOptions as SdkOptions } from '@temporalio/worker';
import type { Log } from '../activities/log';
import { deploymentOf, OWN_READS, READS_ENTRY, type VersionMode } from '../plan/run/deployment';

export interface Joins {
  connection: NativeConnection;
  namespace: string;
  taskQueue: string;
  buildId: string;
  identity: string;
  versions: VersionMode;
  /** It takes workflows, and not only to answer queries: a build without such a worker is no fleet's first. */
  takesRuns: boolean;
  log: Log;
}

type Named = Pick<SdkOptions, 'buildId' | 'workerDeploymentOptions'>;

const LIMIT_MS = 15_000;
/** gRPC's numbers. */
const ALREADY_EXISTS = 6;
const FAILED_PRECONDITION = 9;
const UNIMPLEMENTED = 12;

/**
 * Names a worker's build to the server, before it polls, and says what the build can read. If the deployment has no current build, which is
 * so in a new fleet, this one becomes it: otherwise nobody would get work. A later build gets none until it is promoted.
 *
 * A server without Worker Deployments is served as with `off`, with a warning. With `pinned` that fails, because runs would not stay.
 */
export async function joinDeployment(joins: Joins): Promise<Named> {
  const { connection, namespace, taskQueue, buildId, identity, versions, takesRuns, log } = joins;
  if (versions === 'off') return { buildId };
  const deploymentName = deploymentOf(taskQueue);
  const deploymentVersion = { deploymentName, buildId };
  const { workflowService: server } = connection;
  const call = <T>(request: () => Promise<T>): Promise<T> => connection.withDeadline(Date.now() + LIMIT_MS, request);
  try {
    const made = { namespace, identity, requestId: randomUUID() };
    await call(() => server.createWorkerDeployment({ ...made, deploymentName })).catch(unless(ALREADY_EXISTS));
    await call(() => server.createWorkerDeploymentVersion({ ...made, deploymentVersion })).catch(unless(ALREADY_EXISTS));
    const upsertEntries = { [READS_ENTRY]: defaultPayloadConverter.toPayload(OWN_READS) };
    await call(() => server.updateWorkerDeploymentVersionMetadata({ namespace, deploymentVersion, upsertEntries, identity }));
    const current = await currentBuild();
    if (current === undefined && takesRuns) log('info', `${buildId} is the first version of its fleet: it takes all work`);
    else if (current !== buildId)
      log('warn', `${buildId} takes no work yet: ${current ?? 'no version'} is current until \`thermidor fleet promote\``);
  } catch (error) {
    if (codeOf(error) !== UNIMPLEMENTED || versions === 'pinned') throw error;
    log('warn', 'this server has no worker versions: the worker takes work as with `versions: off`');
    return { buildId };
  }
  return {
    workerDeploymentOptions: {
      version: deploymentVersion,
      useWorkerVersioning: true,
      defaultVersioningBehavior: versions === 'pinned' ? 'PINNED' : 'AUTO_UPGRADE',
    },
  };

  /** The build that was current; undefined: none was, and this one is now, if it takes runs. */
  async function currentBuild(): Promise<string | undefined> {
    for (;;) {
      const { conflictToken, workerDeploymentInfo } = await call(() => server.describeWorkerDeployment({ namespace, deploymentName }));
      const found = workerDeploymentInfo?.routingConfig?.currentDeploymentVersion?.buildId;
      if (found || !takesRuns) return found || undefined;
      const request = { namespace, deploymentName, buildId, identity, conflictToken, allowNoPollers: true, ignoreMissingTaskQueues: true };
      // A token that is out of date means that another worker was quicker.
      const isSet = await call(() => server.setWorkerDeploymentCurrentVersion(request)).then(() => true, unless(FAILED_PRECONDITION));
      if (isSet) return undefined;
    }
  }
}

function unless(code: number): (error: unknown) => undefined {
  return (error) => {
    if (codeOf(error) !== code) throw error;
    return undefined;
  };
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
