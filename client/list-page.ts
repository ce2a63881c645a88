import type { WorkflowService } from '@temporalio/client';
import type { Payload } from '@temporalio/common';
import { isJsonPayload, readJsonPayload } from '../plan/run/json-payload';
import { SEARCH_ATTRIBUTES } from '../plan/run/search-attributes';
import { field } from '../plan/text/json';
import { jsonIn } from '../plan/text/json-text';
import { ClientProblem } from './client-problem';
import type { ThermidorClient } from './connect';
import { fitsRunFilter, type RunFilter, summaryOf, visibilityQuery } from './list-runs';
import { openedPayloads } from './payloads';
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
    const page = await serverPage(client, query, token);
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

/** As the server has it, with memos opened. */
export async function serverPage(client: ThermidorClient, query: string, token: Uint8Array | null): Promise<ListPage> {
  const request = { namespace: client.namespace, query, pageSize: PAGE, nextPageToken: token };
  const page = await client.call(() => client.temporal.workflowService.listWorkflowExecutions(request));
  await Promise.all(page.executions.map((info) => openMemo(client, info)));
  return page;
}

async function openMemo(client: ThermidorClient, { memo }: ListPage['executions'][number]): Promise<void> {
  const { fields } = memo ?? {};
  const names = Object.keys(fields ?? {});
  const payloads = await openedPayloads(client, Object.values(fields ?? {}));
  if (memo) memo.fields = Object.fromEntries(payloads.map((payload, at) => [names[at] ?? '', payload]));
}
export type ListPage = Awaited<ReturnType<WorkflowService['listWorkflowExecutions']>>;

/** Whether the server knows the attributes of runs. */
export async function hasStateAttribute(client: ThermidorClient): Promise<boolean> {
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

export function summaryOfRaw({
  execution,
  type,
  startTime,
  closeTime,
  status,
  memo,
}: ListPage['executions'][number]): RunSummary | undefined {
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

/** The text of a cursor. */
export function written(cursor: object): string {
  return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}

export function readCursor(cursor: string) {
  return jsonIn(Buffer.from(cursor, 'base64url').toString('utf8'));
}

export function badCursor(): ClientProblem {
  return new ClientProblem('list.cursor', 'no list of these runs has printed that cursor', {
    hint: 'give the `next` of the page before it, with the same options',
  });
}
