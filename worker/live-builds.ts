import type { NativeConnection } from '@temporalio/worker';
import { DEPLOYMENT_LIMIT_MS, statusOf, UNIMPLEMENTED } from './join-deployment';

interface Place {
  connection: NativeConnection;
  namespace: string;
  taskQueue: string;
}

type Listed = Awaited<ReturnType<NativeConnection['workflowService']['listWorkers']>>;
type Beat = NonNullable<NonNullable<Listed['workersInfo']>[number]['workerHeartbeat']>;

/** A worker whose heartbeat has not changed for so long is gone. */
export const SILENT_MS = 30_000;
/** A poll lasts a minute. */
const POLLED_WITHIN_MS = 70_000;
/** The server's enum WorkerStatus: from 2 on it stops. */
const STOPPING = 2;
/** An older server lists workers, and does not know this query. */
const INVALID_ARGUMENT = 3;
/** The server's enum TaskQueueType. */
const WORKFLOWS = 1;

/**
 * Whether workers of a build take runs of a task queue. A heartbeat carries its own host's clock, so what counts is that it changes, by the
 * clock of this process alone.
 */
export class LiveBuilds {
  private readonly seen = new Map<string, { beat: string; sinceMs: number }>();

  constructor(
    private readonly place: Place,
    private readonly silentMs = SILENT_MS,
  ) {}

  async takesRuns(build: string): Promise<boolean> {
    try {
      return await this.hasHeartbeat(build);
    } catch (error) {
      const status = statusOf(error);
      if (status !== UNIMPLEMENTED && status !== INVALID_ARGUMENT) throw error;
      return await this.hasPolled(build);
    }
  }

  private async hasHeartbeat(build: string): Promise<boolean> {
    const { connection, namespace, taskQueue } = this.place;
    const query = `TaskQueue = ${quoted(taskQueue)} AND BuildId = ${quoted(build)}`;
    let isAlive = false;
    let nextPageToken: Uint8Array | undefined;
    do {
      const request = { namespace, pageSize: 200, query, ...(nextPageToken ? { nextPageToken } : {}) };
      const page = await this.call(() => connection.workflowService.listWorkers(request));
      for (const { workerHeartbeat } of page.workersInfo ?? []) if (workerHeartbeat && this.isBeating(workerHeartbeat)) isAlive = true;
      nextPageToken = page.nextPageToken?.length ? page.nextPageToken : undefined;
    } while (nextPageToken && !isAlive);
    return isAlive;
  }

  private isBeating({ workerInstanceKey: key, heartbeatTime, status }: Beat): boolean {
    const beat = `${heartbeatTime?.seconds ?? 0}.${heartbeatTime?.nanos ?? 0}`;
    const before = this.seen.get(key ?? '');
    const sinceMs = before?.beat === beat ? before.sinceMs : performance.now();
    this.seen.set(key ?? '', { beat, sinceMs });
    return (status ?? 0) < STOPPING && performance.now() - sinceMs < this.silentMs;
  }

  /** For servers that do not list workers. */
  private async hasPolled(build: string): Promise<boolean> {
    const { connection, namespace, taskQueue } = this.place;
    const request = { namespace, taskQueue: { name: taskQueue }, taskQueueType: WORKFLOWS };
    const { pollers } = await this.call(() => connection.workflowService.describeTaskQueue(request));
    return (pollers ?? []).some(
      ({ deploymentOptions, lastAccessTime }) =>
        deploymentOptions?.buildId === build && Date.now() - Number(lastAccessTime?.seconds ?? 0) * 1000 < POLLED_WITHIN_MS,
    );
  }

  private call<T>(request: () => Promise<T>): Promise<T> {
    return this.place.connection.withDeadline(Date.now() + DEPLOYMENT_LIMIT_MS, request);
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
