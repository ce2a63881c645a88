import type { RunKey } from '../ledger';
import { type Amount, type ContentName, NOTHING, plus } from '../old-content';
import type { Records } from '../records';
import { addAmounts, type EndedBefore, LOGS_REMOVED, noAmounts, type RunAmounts } from '../run-retention';
import { RUN_RECORD } from '../runs/run-record';
import { familyOf, idsAbove } from './families';
import { Reachable } from './reachable';
import type { RunsOnServer } from './runs-on-server';

/** How old what is no longer needed gets, in milliseconds. Absent: it stays. */
export interface RetentionLimits {
  runsMs?: number;
  artifactsMs?: number;
  logsMs?: number;
}

const HOUR_MS = 60 * 60_000;
/** What is younger may be in the hands of work in progress: nothing younger is ever removed. */
export const LEAST_AGE_MS = 24 * HOUR_MS;
/** How far the clocks of store, server and this process may be apart. */
export const CLOCKS_APART_MS = 10 * 60_000;

/** Why nothing is removed. */
export class PruneRefused extends Error {
  override readonly name = 'PruneRefused';
}

export interface PruneOrder {
  limits: RetentionLimits;
  dryRun: boolean;
  /** Families of runs, at most. @default all */
  mostFamilies?: number;
  /** Aborted: it ends after what it is doing. */
  signal: AbortSignal;
  /** This process's clock. @default Date.now */
  ownMs?: () => number;
}

export interface PruneReport extends RunAmounts {
  content: Amount;
  /** Families that are left for the next time. */
  isLeft: boolean;
  /** Runs that are open and did not say what they refer to: nothing that was put since they began was removed. */
  silent: RunKey[];
}

/** Families that are removed at once. */
const AT_ONCE = 50;

/**
 * Removes what is older than its limit and not needed: ended runs, logs of ended runs, content that nothing leads to. It runs next to
 * live runs, and next to itself; one that is killed is finished by the next.
 *
 * Invariants: 1. no run is removed of which the server says that it is open, now; 2. content stays if a run that stays, or a run that is
 * open, leads to it, or if it was put within the limit; 3. ages are by the clock of the store alone, which has to agree with the server's
 * and this process's. Fails with `PruneRefused`, `store.unavailable`, and as the server does; then nothing more is removed.
 */
export async function pruneStore(stores: Records, server: RunsOnServer, order: PruneOrder): Promise<PruneReport> {
  const { limits, signal } = order;
  const report: PruneReport = { ...noAmounts(), content: NOTHING, isLeft: false, silent: [] };
  const nowMs = await requireClock(await stores.retention.nowMs(), server, order);
  // A server that does not answer this answers nothing.
  for await (const _ of server.open()) break;
  const gone = new Set<string>();
  if (limits.runsMs !== undefined) await pruneRuns(stores, server, { ...order, beforeMs: nowMs - limits.runsMs, gone }, report);
  if (limits.logsMs !== undefined && !signal.aborted)
    await pruneLogs(stores, server, { ...order, beforeMs: nowMs - limits.logsMs, gone }, report);
  if (limits.artifactsMs !== undefined && !signal.aborted) {
    const contentNowMs = await requireClock(await stores.oldContent.nowMs(), server, order);
    await pruneContent(stores, server, { ...order, nowMs, beforeMs: contentNowMs - limits.artifactsMs, gone }, report);
  }
  return report;
}

/** A clock that is ahead would make everything old. */
async function requireClock(storeMs: number, server: RunsOnServer, { ownMs = Date.now }: PruneOrder): Promise<number> {
  const serverMs = await server.clockMs();
  const apart = [
    { whose: "this host's", ms: ownMs() },
    ...(serverMs === undefined ? [] : [{ whose: "the Temporal server's", ms: serverMs }]),
  ].find(({ ms }) => Math.abs(storeMs - ms) > CLOCKS_APART_MS);
  if (!apart) return storeMs;
  const [store, other] = [storeMs, apart.ms].map((ms) => new Date(ms).toISOString());
  throw new PruneRefused(`the store's clock says ${store}, and ${apart.whose} ${other}: nothing is removed until they agree`);
}

interface Pruning extends PruneOrder {
  beforeMs: number;
  /** Runs that would be removed. */
  gone: Set<string>;
}

async function pruneRuns(stores: Records, server: RunsOnServer, order: Pruning, report: PruneReport): Promise<void> {
  const { beforeMs, dryRun, signal, gone, mostFamilies = Number.POSITIVE_INFINITY } = order;
  if (!dryRun) await stores.retention.finish(beforeMs);
  let families = 0;
  let waiting: RunKey[] = [];
  const remove = async (): Promise<void> => {
    addAmounts(report, await stores.retention.remove(waiting, beforeMs, dryRun));
    if (dryRun) for (const run of waiting) gone.add(keyText(run));
    waiting = [];
  };
  for await (const page of stores.retention.endedBefore(beforeMs)) {
    for (let at = 0; at < page.length; at += AT_ONCE) {
      if (signal.aborted || families >= mostFamilies) break;
      const heads = page.slice(at, at + AT_ONCE);
      for (const family of await Promise.all(heads.map((head) => closedFamily(stores, server, head, beforeMs)))) {
        if (!family) continue;
        families += 1;
        waiting.push(...family);
      }
      await remove();
    }
    report.isLeft = families >= mostFamilies;
    if (signal.aborted || report.isLeft) break;
  }
  if (!dryRun) await stores.retention.finish(beforeMs);
}

/** Undefined if one of them is open, or is needed. */
async function closedFamily(stores: Records, server: RunsOnServer, head: RunKey, beforeMs: number): Promise<RunKey[] | undefined> {
  const family = await familyOf(stores, head, beforeMs);
  for (const run of family ?? []) if (await server.isOpen(run)) return undefined;
  return family;
}

async function pruneLogs(stores: Records, server: RunsOnServer, order: Pruning, report: PruneReport): Promise<void> {
  const { beforeMs, dryRun, signal, gone } = order;
  const hasLogs = (run: EndedBefore): boolean => run.hasLogs && !gone.has(keyText(run));
  for await (const page of stores.retention.endedBefore(beforeMs)) {
    const closed: RunKey[] = [];
    for (const { workflowId, run } of page.filter(hasLogs)) {
      if (signal.aborted) return;
      if ((await server.isOpen({ workflowId, run })) || (await isBelowOpen(stores, server, workflowId))) continue;
      if (!dryRun) await stores.ledger.putIfAbsent({ workflowId, run }, LOGS_REMOVED, true);
      closed.push({ workflowId, run });
    }
    report.logs = plus(report.logs, await stores.retention.removeLogs(closed, dryRun));
  }
}

/** The logs of a run show those of its children. */
async function isBelowOpen(stores: Records, server: RunsOnServer, workflowId: string): Promise<boolean> {
  for (const above of idsAbove(workflowId)) for (const run of await stores.runs.runsOf(above)) if (await server.isOpen(run)) return true;
  return false;
}

async function pruneContent(stores: Records, server: RunsOnServer, order: Pruning & { nowMs: number }, report: PruneReport): Promise<void> {
  const { dryRun, signal } = order;
  const { reachable, beforeMs } = await neededContent(stores, server, order, report);
  const remove = async (): Promise<void> => {
    for await (const page of stores.oldContent.before(beforeMs)) {
      if (signal.aborted) return;
      const unneeded = page.filter(({ sha256 }: ContentName) => !reachable.has(sha256));
      report.content = plus(report.content, await stores.oldContent.remove(unneeded, beforeMs, dryRun));
    }
  };
  await (dryRun ? remove() : stores.oldContent.during(remove));
}

/**
 * What has to stay, and since when everything has. A run that began within the limit put what it names within the limit, or took it over:
 * then its own record leads there, or, until it has one, a carry or a plan that was put since.
 */
async function neededContent(
  stores: Records,
  server: RunsOnServer,
  { nowMs, beforeMs, gone, limits }: Pruning & { nowMs: number },
  report: PruneReport,
): Promise<{ reachable: Reachable; beforeMs: number }> {
  const reachable = new Reachable(stores);
  const beganBeforeMs = Math.max(beforeMs, limits.runsMs === undefined ? 0 : nowMs - limits.runsMs) + HOUR_MS;
  let oldestMs = beforeMs;
  for await (const page of stores.retention.runs()) {
    for (const { beganMs, ...run } of page) {
      if (gone.has(keyText(run))) continue;
      if (beganMs >= beganBeforeMs) {
        // It may have waited for long until a worker began it.
        const record = await stores.ledger.get(run, RUN_RECORD);
        if (record !== undefined) await reachable.add(record);
        continue;
      }
      for await (const { name, values } of stores.retention.entries(run)) await reachable.add([name, ...values]);
      if (!(await server.isOpen(run))) continue;
      // Its state is on the server alone.
      const said = await server.says(run);
      if (said !== undefined) await reachable.add(said);
      else {
        report.silent.push(run);
        oldestMs = Math.min(oldestMs, beganMs - HOUR_MS);
      }
    }
  }
  for await (const { startedMs, ...run } of server.open()) {
    // What a run that no worker has begun yet refers to was put just before it was started.
    if (startedMs < beforeMs && (await stores.runs.runsOf(run.workflowId)).length === 0) oldestMs = Math.min(oldestMs, startedMs - HOUR_MS);
  }
  await addYoungControl(stores, reachable, beforeMs);
  return { reachable, beforeMs: oldestMs };
}

async function addYoungControl(stores: Records, reachable: Reachable, beforeMs: number): Promise<void> {
  for (const kind of ['plan', 'carry'] as const) {
    for await (const page of stores.oldContent.since(kind, beforeMs)) for (const name of page) await reachable.addContent(name);
  }
}

function keyText({ workflowId, run }: RunKey): string {
  return `${workflowId}\n${run}`;
}
