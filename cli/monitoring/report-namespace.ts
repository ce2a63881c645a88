import type { ThermidorClient } from '../../client/connect';
import { readNamespace, servedQueues, skippedStarts } from '../../client/namespace-numbers';
import type { NamespaceNumbers } from '../../plan/run/namespace-numbers';
import type { Log } from '../session/worker-log';
import type { SoleReporter } from './sole-reporter';

export interface NamespaceReport {
  office: SoleReporter;
  connect(): Promise<ThermidorClient>;
  /** Gets the numbers; nothing while another process has them, or the server does not answer. */
  report(numbers: NamespaceNumbers | undefined): void;
  log: Log;
}

/** A sign of life of the process in office takes as long. */
const LOOK_MS = 5_000;
/** Counting costs the server more than asking who counts. */
const COUNT_MS = 15_000;
/** Each schedule is asked for. */
const SCHEDULES_MS = 60_000;

/** Counts for all processes as long as it is this one's office. Returns the function that ends it. */
export function reportNamespace({ office, connect, report, log }: NamespaceReport, now = () => performance.now()): () => Promise<void> {
  let client: ThermidorClient | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let countedMs = Number.NEGATIVE_INFINITY;
  let skipped = { atMs: Number.NEGATIVE_INFINITY, starts: { overlap: 0, missed: 0 } as NamespaceNumbers['skipped'] };
  /** One that nobody serves any more still has a backlog. */
  const queues = new Set<string>();

  async function count(): Promise<NamespaceNumbers> {
    client ??= await connect();
    for (const queue of await servedQueues(client)) queues.add(queue);
    if (now() - skipped.atMs >= SCHEDULES_MS) skipped = { atMs: now(), starts: await skippedStarts(client) };
    return { ...(await readNamespace(client, queues)), skipped: skipped.starts };
  }

  async function look(): Promise<void> {
    try {
      if (!(await office.isThis())) {
        countedMs = Number.NEGATIVE_INFINITY;
        report(undefined);
        return;
      }
      if (now() - countedMs < COUNT_MS) return;
      report(await count());
      countedMs = now();
    } catch (error) {
      report(undefined);
      countedMs = Number.NEGATIVE_INFINITY;
      log('debug', 'the runs of the task queue could not be counted', { error: String(error) });
      const broken = client;
      client = undefined;
      await broken?.close().catch(() => undefined);
    }
  }

  let last: Promise<void>;
  const next = (): void => {
    last = look().finally(() => {
      if (!isStopped) timer = setTimeout(next, LOOK_MS).unref();
    });
  };
  next();
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await last;
    report(undefined);
    await client?.close();
    await office.leave().catch((error: unknown) => log('debug', 'another process counts only after a while', { error: String(error) }));
  };
}
