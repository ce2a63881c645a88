import type { WorkflowService } from '@temporalio/client';
import type { Payload } from '@temporalio/common';
import { defined } from '../plan/defined';
import { isJsonPayload, readJsonPayload } from '../plan/run/json-payload';
import { SEARCH_ATTRIBUTES } from '../plan/run/search-attributes';
import { field } from '../plan/text/json';
import { jsonIn } from '../plan/text/json-text';
import { ClientProblem } from './client-problem';
import type { ThermidorClient } from './connect';
import { describeOnServer } from './find-run';
import { fitsRunFilter, type RunFilter, summaryOf, visibilityQuery } from './list-runs';
import type { RunSummary } from './run-summary';

/** A page of a list. `next`: the cursor of the page after it. */
export interface RunPage {
  runs: RunSummary[];
  next?: string;
}

const PAGE = 100;

/** Runs from the server, as `listRuns` gives them, a page at a time. Fails with `list.cursor` if no list gave that cursor. */
export async function listPage(client: ThermidorClient, filter: RunFilter & { limit: number }, cursor?: string): Promise<RunPage> {
  const query = visibilityQuery(client.taskQueue, filter, filter.state !== undefined && (await hasStateAttribute(client)));
  let { token, skip } = placeOf(cursor);
  const runs = new Map<string, RunSummary>();
  for (;;) {
    const request = { namespace: client.namespace, query, pageSize: PAGE, nextPageToken: token };
    const page: ListPage = await client.call(() => client.temporal.workflowService.listWorkflowExecutions(request));
    for (const [at, info] of page.executions.entries()) {
      const run = at < skip ? undefined : summaryOfRaw(info);
      if (!run || runs.has(run.run) || !fitsRunFilter(run, filter)) continue;
      if (runs.size === filter.limit) return { runs: sorted(runs), next: cursorOf(token, at) };
      runs.set(run.run, run);
    }
    if (!page.nextPageToken?.length) return { runs: sorted(runs) };
    token = page.nextPageToken;
    skip = 0;
  }
}
type ListPage = Awaited<ReturnType<WorkflowService['listWorkflowExecutions']>>;

/**
 * Runs that have ended, the last to end first: those that the server knows, and those of which only the store has a record. A run that has
 * gone on since its record was written is none of them.
 */
export async function listEnded(client: ThermidorClient, filter: RunFilter & { limit: number }, cursor?: string): Promise<RunPage> {
  const before = cursor === undefined ? undefined : momentOf(cursor);
  const isBefore = (run: RunSummary): boolean => before === undefined || compare(run, before) > 0;
  const asked = { ...filter, ended: true, limit: PAGE, ...defined({ closedUntil: before?.endedAt }) };
  const known = new Map<string, RunSummary>();
  for (let from: string | undefined; ; ) {
    const page = await listPage(client, asked, from);
    for (const run of page.runs) if (isBefore(run)) known.set(run.run, run);
    from = page.next;
    if (from === undefined || known.size > filter.limit) break;
  }
  const recorded = ((await client.ended?.list()) ?? []).filter((run) => !known.has(run.run) && fitsRunFilter(run, filter) && isBefore(run));
  const all = [...known.values(), ...recorded].sort(compare);
  // The server may know one of the store as a run that was reset, or list it further on.
  const asIs = async (run: RunSummary) => (known.has(run.run) ? run : ((await describeOnServer(client, run.run)) ?? run));
  const runs: RunSummary[] = [];
  for (let at = 0; at < all.length; at += AT_ONCE) {
    for (const run of await Promise.all(all.slice(at, at + AT_ONCE).map(asIs))) {
      if (runs.length === filter.limit) return { runs, next: momentCursor(runs.at(-1)) };
      if (fitsRunFilter(run, { ...filter, ended: true })) runs.push(run);
    }
  }
  return { runs };
}
/** Runs about which the server is asked at once. */
const AT_ONCE = 50;

/** The last to end first. */
function compare(a: Ended, b: Ended): number {
  return (b.endedAt ?? '').localeCompare(a.endedAt ?? '') || a.run.localeCompare(b.run);
}
type Ended = Pick<RunSummary, 'run' | 'endedAt'>;

async function hasStateAttribute(client: ThermidorClient): Promise<boolean> {
  try {
    const { namespace } = client;
    const known = await client.call(() => client.connection.operatorService.listSearchAttributes({ namespace }));
    return SEARCH_ATTRIBUTES.every((name) => name in known.customAttributes);
  } catch (error) {
    // An account may be allowed to list runs and not this.
    if (error instanceof ClientProblem && error.code === 'server.refused') return false;
    throw error;
  }
}

/** By number. */
const STATUSES = ['', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED', 'TERMINATED', 'CONTINUED_AS_NEW', 'TIMED_OUT', 'PAUSED'];

function summaryOfRaw({ execution, type, startTime, closeTime, status, memo }: ListPage['executions'][number]): RunSummary | undefined {
  const { workflowId, runId } = execution ?? {};
  if (!workflowId || !runId || !startTime) return undefined;
  return summaryOf({
    ...{ workflowId, runId, type: type?.name ?? '', startTime: dateOf(startTime), status: { name: STATUSES[status ?? 0] ?? '' } },
    closeTime: closeTime ? dateOf(closeTime) : undefined,
    memo: Object.fromEntries(Object.entries(memo?.fields ?? {}).map(([key, payload]) => [key, decoded(payload)])),
  });
}

/** Anybody may have written it. */
function decoded(payload: Payload): unknown {
  try {
    return isJsonPayload(payload) ? readJsonPayload(payload) : undefined;
  } catch {
    return undefined;
  }
}

function dateOf({ seconds, nanos }: { seconds?: unknown; nanos?: number | null }): Date {
  return new Date(Number(seconds ?? 0) * 1000 + Math.floor((nanos ?? 0) / 1_000_000));
}

function sorted(runs: ReadonlyMap<string, RunSummary>): RunSummary[] {
  return [...runs.values()].sort((a, b) => b.startedAt.localeCompare(a.startedAt));
}

/** A page of the server's, by its token, and how many of its runs have been listed. */
function cursorOf(token: Uint8Array | null, skip: number): string {
  return written({ token: token === null ? '' : Buffer.from(token).toString('base64'), skip });
}

function placeOf(cursor: string | undefined): { token: Uint8Array | null; skip: number } {
  if (cursor === undefined) return { token: null, skip: 0 };
  const read = readCursor(cursor);
  const [token, skip] = [field(read, 'token'), field(read, 'skip')];
  if (typeof token !== 'string' || typeof skip !== 'number') throw badCursor();
  return { token: token === '' ? null : Buffer.from(token, 'base64'), skip };
}

function momentCursor(last: Ended | undefined): string {
  return written({ endedAt: last?.endedAt ?? '', run: last?.run ?? '' });
}

function momentOf(cursor: string): Ended {
  const read = readCursor(cursor);
  const [endedAt, run] = [field(read, 'endedAt'), field(read, 'run')];
  if (typeof endedAt !== 'string' || typeof run !== 'string') throw badCursor();
  return { endedAt, run };
}

function written(cursor: object): string {
  return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}

function readCursor(cursor: string) {
  return jsonIn(Buffer.from(cursor, 'base64url').toString('utf8'));
}

function badCursor(): ClientProblem {
  return new ClientProblem('list.cursor', 'no list of these runs has printed that cursor', {
    hint: 'give the `next` of the page before it, with the same options',
  });
}
