import { WorkflowNotFoundError } from '@temporalio/client';
import { ThermidorFailure } from '../plan/run/failure';
import { ClientProblem } from './client-problem';
import type { ThermidorClient } from './connect';
import { unlessForgotten } from './ended-runs';
import { executionsOf } from './executions';
import { summaryOf, visibilityQuery } from './list-runs';
import { hasEnded } from './outcome';
import { isMomentPart, isRunSuffix, momentIn } from './run-id';
import type { RunSummary } from './run-summary';

const WAYS = 'an id, its beginning, its last 6 characters, a part of a scheduled run’s time, or a pipeline’s name for its newest run';

const CANDIDATES_SHOWN = 10;
/** How many runs are looked through: visibility searches ids from the front alone. */
const SEARCH_LIMIT = 20_000;

/**
 * Finds a run by its whole id, its pipeline's name (the newest), an unambiguous beginning of it, its last six characters, or a part of the
 * moment that a scheduled run's id ends with; without a text the newest of all. What fits a run that the server knows means no forgotten
 * one. A store that is away matters only if the server knows no run that fits. Fails with `run.not-found` or `run.ambiguous`; the latter
 * lists the candidates, newest first.
 */
export async function findRun(client: ThermidorClient, text: string | undefined): Promise<RunSummary> {
  if (text === undefined) return newestOfAll(client);
  return await findBy(client, text, await describeUnlessAway(client, text));
}

async function findBy(client: ThermidorClient, text: string, exact: RunSummary | undefined): Promise<RunSummary> {
  if (exact) return exact;
  const newest = await newestOf(client, text);
  if (newest) return newest;
  const byPrefix = await collect(client, visibilityQuery(client.taskQueue, { startsWith: text }), () => true, CANDIDATES_SHOWN + 1);
  const found = byPrefix.length > 0 ? byPrefix : await byPart(client, text);
  const [only, ...others] = found;
  const forgotten = only === undefined ? await client.ended?.find(text) : undefined;
  if (forgotten) return forgotten;
  if (only === undefined) {
    throw new ClientProblem('run.not-found', `there is no run "${text}"`, {
      hint: `\`thermidor list\` shows the runs; give ${WAYS}`,
    });
  }
  if (others.length > 0) throw ambiguous(text, found);
  return only;
}

/**
 * Finds the run that an order is for, as above; but a pipeline's name means a run that continues, and never a guess: if the newest has
 * ended and an older one continues, or several continue and the order would end one, the id has to be given. While the store is away,
 * nobody knows whether the text is the whole id of a forgotten run, so it is not taken for a part of another. Fails with `run.ambiguous`.
 */
export async function findRunToOrder(client: ThermidorClient, text: string, order: { ends: boolean }): Promise<RunSummary> {
  const found = await findBy(client, text, await describeRun(client, text));
  if (found.run === text || found.pipeline !== text) return found;
  const open = await collect(client, visibilityQuery(client.taskQueue, { pipeline: text, state: 'running' }), isTop, CANDIDATES_SHOWN + 1);
  const others = open.filter(({ run, state }) => run !== found.run && !hasEnded(state));
  if (others.length === 0 || !(order.ends || hasEnded(found.state))) return found;
  throw openElsewhere(text, found, others);
}

/** The newest execution under a workflow id, undefined if neither the server nor the store knows one. */
export async function describeRun(client: ThermidorClient, workflowId: string): Promise<RunSummary | undefined> {
  return await unlessUnknown(() =>
    unlessForgotten(
      client,
      workflowId,
      () => describe(client, workflowId),
      ({ summary }) => summary,
    ),
  );
}

async function describeUnlessAway(client: ThermidorClient, workflowId: string): Promise<RunSummary | undefined> {
  try {
    return await describeRun(client, workflowId);
  } catch (error) {
    if (error instanceof ThermidorFailure && error.code === 'store.unavailable') return undefined;
    throw error;
  }
}

/** As above, if the server knows it. */
export async function describeOnServer(client: ThermidorClient, workflowId: string): Promise<RunSummary | undefined> {
  return await unlessUnknown(() => describe(client, workflowId));
}

async function describe(client: ThermidorClient, workflowId: string): Promise<RunSummary> {
  return summaryOf(await client.call(() => client.temporal.workflow.getHandle(workflowId).describe()));
}

async function unlessUnknown<T>(look: () => Promise<T>): Promise<T | undefined> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

/** The run that started last, whatever its state. */
async function newestOfAll(client: ThermidorClient): Promise<RunSummary> {
  const [newest] = await collect(client, visibilityQuery(client.taskQueue, {}), isTop, SEARCH_LIMIT);
  const found = newest ?? (await client.ended?.find(undefined));
  if (found !== undefined) return found;
  throw new ClientProblem('run.not-found', 'there is no run yet', { hint: 'start one: thermidor run PIPELINE' });
}

/** The newest run of a pipeline, if the text is its whole name. Runs of child pipelines belong to their parents. */
async function newestOf(client: ThermidorClient, pipeline: string): Promise<RunSummary | undefined> {
  const query = visibilityQuery(client.taskQueue, { pipeline });
  // Visibility lists open runs first, and the others by their end.
  const [newest] = await collect(client, query, isTop, SEARCH_LIMIT);
  return newest;
}

function isTop({ parent }: RunSummary): boolean {
  return parent === undefined;
}

async function byPart(client: ThermidorClient, text: string): Promise<RunSummary[]> {
  const isPart = isMomentPart(text);
  if (!isPart && !isRunSuffix(text)) return [];
  const fits = ({ run }: RunSummary): boolean => run.endsWith(`-${text}`) || (isPart && momentIn(run)?.includes(text) === true);
  return collect(client, visibilityQuery(client.taskQueue, {}), fits, CANDIDATES_SHOWN + 1);
}

/** Distinct runs that a query and a test give, of each id the newest execution: the server lists that first. */
async function collect(client: ThermidorClient, query: string, wanted: (run: RunSummary) => boolean, limit: number): Promise<RunSummary[]> {
  const found = new Map<string, RunSummary>();
  let seen = 0;
  for await (const info of executionsOf(client, query)) {
    const run = summaryOf(info);
    if (wanted(run) && !found.has(run.run)) found.set(run.run, run);
    if (found.size >= limit || ++seen >= SEARCH_LIMIT) break;
  }
  return [...found.values()].sort((a, b) => b.startedAt.localeCompare(a.startedAt));
}

function ambiguous(text: string, found: readonly RunSummary[]): ClientProblem {
  return new ClientProblem('run.ambiguous', `"${text}" fits several runs: ${candidatesIn(found)}`, {
    hint: `give ${WAYS}`,
    details: { candidates: shownOf(found) },
  });
}

function openElsewhere(pipeline: string, newest: RunSummary, others: readonly RunSummary[]): ClientProblem {
  const over = hasEnded(newest.state);
  const open = over ? others : [newest, ...others];
  const which = over ? `the newest run of "${pipeline}", ${newest.run}, has ended` : `several runs of "${pipeline}" are running`;
  return new ClientProblem('run.ambiguous', `${which}${over ? '; still going on: ' : ': '}${candidatesIn(open)}`, {
    hint: 'name the run by its id, or by its last 6 characters',
    details: { candidates: shownOf(open) },
  });
}

function candidatesIn(found: readonly RunSummary[]): string {
  return `${shownOf(found).join(', ')}${found.length > CANDIDATES_SHOWN ? ', …' : ''}`;
}

function shownOf(found: readonly RunSummary[]): string[] {
  return found.slice(0, CANDIDATES_SHOWN).map(({ run }) => run);
}
