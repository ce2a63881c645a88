import { field } from '../plan/text/json';
import { compareEnds, type EndMoment } from '../records/runs/listed-end';
import type { ThermidorClient } from './connect';
import { badCursor, type RunPage, readCursor, serverPage, summaryOfRaw, written } from './list-page';
import { fitsRunFilter, quoted, type RunFilter, visibilityQuery } from './list-runs';
import type { RunSummary } from './run-summary';

/** Runs of the store about which the server is asked at once. */
const AT_ONCE = 100;

/**
 * Runs that have ended, the last to end first: those that the server knows, and those of which only the store has a record. A run that has
 * gone on since its record was written is none of them.
 */
export async function listEnded(client: ThermidorClient, filter: RunFilter & { limit: number }, cursor?: string): Promise<RunPage> {
  const before = cursor === undefined ? undefined : momentOf(cursor);
  const wanted: RunFilter = { ...filter, ended: true };
  const runs = new Map<string, RunSummary>();
  let asked: RunSummary[] = [];
  const settle = async (): Promise<void> => {
    const known = await onServer(
      client,
      asked.map(({ run }) => run),
    );
    for (const run of asked) takeIfFit(known.get(run.run) ?? run);
    asked = [];
  };
  const takeIfFit = (run: RunSummary): void => {
    const isLater = before === undefined || compareEnds(moment(run), before) > 0;
    if (isLater && fitsRunFilter(run, wanted) && !runs.has(run.run)) runs.set(run.run, run);
  };
  for await (const { run, isKnown } of inOrder(fromServer(client, wanted, before), fromStore(client, filter, before))) {
    if (isKnown) takeIfFit(run);
    // The server may know one of the store as a run that was reset, or list it further on.
    else if (!runs.has(run.run)) asked.push(run);
    if (asked.length === AT_ONCE || runs.size + asked.length > filter.limit) await settle();
    if (runs.size > filter.limit) break;
  }
  await settle();
  const sorted = [...runs.values()].sort((a, b) => compareEnds(moment(a), moment(b)));
  const page = sorted.slice(0, filter.limit);
  const last = page.at(-1);
  return last === undefined || sorted.length <= filter.limit ? { runs: page } : { runs: page, next: written(moment(last)) };
}

interface Listed {
  run: RunSummary;
  /** By the server, now. */
  isKnown: boolean;
}

async function* fromServer(client: ThermidorClient, filter: RunFilter, before: EndMoment | undefined): AsyncGenerator<Listed> {
  const query = visibilityQuery(client.taskQueue, before === undefined ? filter : { ...filter, closedUntil: before.endedAt });
  for await (const run of allOf(client, query)) yield { run, isKnown: true };
}

async function* fromStore({ ended }: ThermidorClient, filter: RunFilter, before: EndMoment | undefined): AsyncGenerator<Listed> {
  if (!ended) return;
  for await (const page of ended.list(filter, before)) for (const run of page) yield { run, isKnown: false };
}

/** Two lists in this order as one. */
async function* inOrder(one: AsyncGenerator<Listed>, two: AsyncGenerator<Listed>): AsyncGenerator<Listed> {
  try {
    let [a, b] = await Promise.all([one.next(), two.next()]);
    while (!a.done || !b.done) {
      if (!a.done && (b.done || compareEnds(moment(a.value.run), moment(b.value.run)) <= 0)) {
        yield a.value;
        a = await one.next();
      } else if (!b.done) {
        yield b.value;
        b = await two.next();
      }
    }
  } finally {
    await Promise.all([one.return(undefined), two.return(undefined)]);
  }
}

async function onServer(client: ThermidorClient, ids: readonly string[]): Promise<Map<string, RunSummary>> {
  const known = new Map<string, RunSummary>();
  if (ids.length === 0) return known;
  const query = `WorkflowId IN (${ids.map(quoted).join(', ')}) AND ExecutionStatus != 'ContinuedAsNew'`;
  // The newest of an id comes first.
  for await (const run of allOf(client, query)) if (!known.has(run.run)) known.set(run.run, run);
  return known;
}

async function* allOf(client: ThermidorClient, query: string): AsyncGenerator<RunSummary> {
  for (let token: Uint8Array | null = null; ; ) {
    const { executions, nextPageToken }: Awaited<ReturnType<typeof serverPage>> = await serverPage(client, query, token);
    for (const info of executions) {
      const run = summaryOfRaw(info);
      if (run) yield run;
    }
    if (!nextPageToken?.length) return;
    token = nextPageToken;
  }
}

function moment({ run, endedAt = '' }: Pick<RunSummary, 'run' | 'endedAt'>): EndMoment {
  return { run, endedAt };
}

function momentOf(cursor: string): EndMoment {
  const read = readCursor(cursor);
  const [endedAt, run] = [field(read, 'endedAt'), field(read, 'run')];
  if (typeof endedAt !== 'string' || typeof run !== 'string') throw badCursor();
  return { endedAt, run };
}
