import type { ThermidorClient } from '../../client/connect';
import { readNamespace, servedQueues, skippedStarts, waitedOnQueues } from '../../client/namespace-numbers';
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
/** Each schedule, and each open run, is asked for. */
const ASK_EACH_MS = 60_000;

/** Counts for all processes as long as it is this one's office. Returns the function that ends it. */
export function reportNamespace({ office, connect, report, log }: NamespaceReport, now = () => performance.now()): () => Promise<void> {
  let client: ThermidorClient | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let countedMs = Number.NEGATIVE_INFINITY;
  let askedMs = Number.NEGATIVE_INFINITY;
  let skipped: NamespaceNumbers['skipped'] = { overlap: 0, missed: 0 };
  /** One that nobody serves has a backlog, too. */
  const queues = new Set<string>();

  async function count(): Promise<NamespaceNumbers> {
    client ??= await connect();
    for (const queue of await servedQueues(client)) queues.add(queue);
    if (now() - askedMs >= ASK_EACH_MS) {
      skipped = await skippedStarts(client);
      for (const queue of await waitedOnQueues(client)) queues.add(queue);
      askedMs = now();
    }
    return { ...(await readNamespace(client, queues)), skipped };
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
