import type { NativeConnection, WorkerOptions as SdkOptions } from '@temporalio/worker';
import type { Log } from '../activities/log';
import { deploymentOf, type VersionMode } from '../plan/run/deployment';

export interface Joining {
  connection: NativeConnection;
  namespace: string;
  taskQueue: string;
  buildId: string;
  identity: string;
  versions: VersionMode;
  log: Log;
}

type Named = Pick<SdkOptions, 'buildId' | 'workerDeploymentOptions'>;

/** The limit of a request about deployments. */
export const DEPLOYMENT_LIMIT_MS = 10_000;

/** gRPC's numbers. */
export const NOT_FOUND = 5;
export const PERMISSION_DENIED = 7;
export const FAILED_PRECONDITION = 9;
export const UNIMPLEMENTED = 12;

/**
 * How a worker names its build to the server. A server without Worker Deployments would silently give it nothing, so that is asked first:
 * there `auto` works as `off`, with a warning, and `pinned` fails with the server's error, because runs would not stay with their version.
 */
export async function joinDeployment({ connection, namespace, taskQueue, buildId, versions, log }: Joining): Promise<Named> {
  if (versions === 'off') return { buildId };
  const deploymentName = deploymentOf(taskQueue);
  try {
    await connection.withDeadline(Date.now() + DEPLOYMENT_LIMIT_MS, () =>
      connection.workflowService.describeWorkerDeployment({ namespace, deploymentName }),
    );
  } catch (error) {
    const code = statusOf(error);
    // Nobody has joined it before.
    if (code !== NOT_FOUND) {
      if (versions === 'pinned' || (code !== UNIMPLEMENTED && code !== PERMISSION_DENIED)) throw error;
      const why = code === UNIMPLEMENTED ? 'it is too old' : wordsOf(error);
      log('warn', `the server has no versions of workers, so this one works as with \`versions: off\`: ${why}`);
      return { buildId };
    }
  }
  return {
    workerDeploymentOptions: {
      version: { deploymentName, buildId },
      useWorkerVersioning: true,
      defaultVersioningBehavior: versions === 'pinned' ? 'PINNED' : 'AUTO_UPGRADE',
    },
  };
}

/** The number of a gRPC status; undefined for other errors. */
export function statusOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'details' in error && typeof error.details === 'string' && error.details !== '' ? error.details : error.message;
}
