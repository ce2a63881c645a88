import { setTimeout as sleep } from 'node:timers/promises';
import { runsOnServer } from '../../client/runs-on-server';
import { defined } from '../../plan/defined';
import { pruneWorkFolders } from '../../records/directory/work-folders';
import { pruneStore, type RetentionLimits } from '../../records/pruning/prune-store';
import { soleReporter } from '../monitoring/sole-reporter';
import type { Configuration } from '../settings/configuration';
import { recordsOf } from '../settings/records';
import { connectSession } from './session';
import type { Log } from './worker-log';

/** An office is asked for as often, so that it passes on soon. */
const LOOK_MS = 30_000;
const HOUR_MS = 60 * 60_000;
/** Looking for content takes a walk over all that is kept. */
const CONTENT_EACH_MS = 24 * HOUR_MS;
/** What is left goes with the next hour. */
const MOST_FAMILIES = 2000;

/**
 * Keeps the limits of `retention`: every hour one process of all removes what is too old from the store, and each process from its host.
 * Returns the function that ends it.
 */
export function keepRetention(configuration: Configuration, address: () => string, log: Log): () => Promise<void> {
  const { retention, namespace, taskQueue, stateDir } = configuration;
  const limits = retention.value;
  if (limits === undefined) return async () => undefined;
  const records = recordsOf(configuration);
  const office = soleReporter(records, `retention of ${namespace.value}/${taskQueue.value}`);
  const stopping = new AbortController();
  const { signal } = stopping;
  let [storeMs, contentMs, hostMs] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];

  async function round(kept: RetentionLimits, nowMs: number): Promise<void> {
    if ((await office.isThis()) && nowMs - storeMs >= HOUR_MS) {
      const withContent = nowMs - contentMs >= CONTENT_EACH_MS;
      await pruneOnce(withContent ? kept : withoutContent(kept));
      if (withContent) contentMs = nowMs;
      storeMs = nowMs;
    }
    if (nowMs - hostMs >= HOUR_MS) {
      await pruneWorkFolders(stateDir.value, records, kept.runsMs, false);
      hostMs = nowMs;
    }
  }

  async function pruneOnce(kept: RetentionLimits): Promise<void> {
    const client = await connectSession(configuration, address());
    try {
      const {
        silent,
        isLeft: _,
        ...removed
      } = await pruneStore(records, runsOnServer(client), {
        ...{ limits: kept, dryRun: false, mostFamilies: MOST_FAMILIES, signal },
      });
      if (Object.values(removed).some(({ count }) => count > 0)) log('info', 'removed what was older than its limit', { ...removed });
      if (silent.length > 0) log('info', 'open runs do not answer: what was stored since they began stays', { runs: silent.length });
    } finally {
      await client.close();
    }
  }

  async function keep(kept: RetentionLimits): Promise<void> {
    while (!signal.aborted) {
      await round(kept, performance.now()).catch((error: unknown) =>
        log('warn', 'what is older than its limit could not be removed; the next try is in half a minute', { error: String(error) }),
      );
      await sleep(LOOK_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  const kept = keep(limits);
  return async () => {
    stopping.abort();
    await kept;
    await office
      .leave()
      .catch((error: unknown) => log('debug', 'another process removes old things only after a while', { error: String(error) }));
  };
}

function withoutContent({ runsMs, logsMs }: RetentionLimits): RetentionLimits {
  return defined({ runsMs, logsMs });
}
