import type { NativeConnection } from '@temporalio/worker';
import type { Served } from '../../worker/keep-version-served';

export function grpcError(code: number, details = 'so it is'): Error {
  return Object.assign(new Error(`${code} ${details}`), { code, details });
}

interface Beat {
  build: string;
  seconds: number;
  status: number;
}

/** A server with one deployment and its workers' heartbeats. */
export class FakeDeployments {
  /** Builds whose workers have polled. Undefined: there is no deployment. */
  known: string[] | undefined;
  current = '';
  token = 1;
  readonly beats = new Map<string, Beat>();
  readonly told: string[] = [];
  /** Each change of what is current that was asked for. */
  readonly asked: string[] = [];
  /** What a request fails with, by its name. */
  readonly failures: Partial<Record<string, Error>> = {};
  /** Called between a look and the change that follows. */
  meanwhile: () => void = () => undefined;

  readonly connection = {
    withDeadline: async (_: number, request: () => Promise<unknown>) => await request(),
    workflowService: {
      describeWorkerDeployment: async () => {
        this.fail('describe');
        if (this.known === undefined) throw grpcError(5);
        return {
          conflictToken: new Uint8Array([this.token]),
          workerDeploymentInfo: {
            versionSummaries: this.known.map((buildId) => ({ deploymentVersion: { buildId } })),
            routingConfig: this.current === '' ? {} : { currentDeploymentVersion: { buildId: this.current } },
          },
        };
      },
      updateWorkerDeploymentVersionMetadata: async ({ deploymentVersion }: { deploymentVersion: { buildId: string } }) => {
        this.told.push(deploymentVersion.buildId);
      },
      setWorkerDeploymentCurrentVersion: async ({ buildId, conflictToken }: { buildId: string; conflictToken: Uint8Array }) => {
        this.meanwhile();
        this.asked.push(buildId);
        this.fail('set');
        if (conflictToken[0] !== this.token) throw grpcError(9, 'conflict token');
        this.promote(buildId);
      },
      listWorkers: async ({ query }: { query: string }) => {
        this.fail('list');
        const own = [...this.beats].filter(([, { build }]) => query.includes(`BuildId = '${build}'`));
        return {
          workersInfo: own.map(([workerInstanceKey, { seconds, status }]) => ({
            workerHeartbeat: { workerInstanceKey, status, heartbeatTime: { seconds, nanos: 0 } },
          })),
        };
      },
      describeTaskQueue: async () => ({
        pollers: [...this.beats.values()].map(({ build, seconds }) => ({
          deploymentOptions: { buildId: build },
          lastAccessTime: { seconds },
        })),
      }),
    },
  } as unknown as NativeConnection;

  promote(build: string): void {
    this.current = build;
    this.token += 1;
  }

  beat(worker: string, build: string, seconds: number, status = 1): void {
    this.beats.set(worker, { build, seconds, status });
  }

  worker(buildId: string, log: Served['log'] = () => undefined): Served {
    const { connection } = this;
    const place = { connection, namespace: 'n', taskQueue: 'q', identity: `of ${buildId}` };
    return { ...place, buildId, versioned: buildId !== '', isStopping: () => false, log };
  }

  private fail(request: string): void {
    const failure = this.failures[request];
    if (failure) throw failure;
  }
}
