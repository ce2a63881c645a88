import { WorkflowNotFoundError } from '@temporalio/client';
import type { ThermidorClient } from './connect';
import { type RunSummary, summaryOf, visibilityQuery } from './list-runs';
import { ClientProblem } from './problem';
import { isMomentPart, isRunSuffix, momentIn } from './run-id';

export const WAYS =
  'an id, its beginning, its last 6 characters, a part of a scheduled run’s time, or a pipeline’s name for its newest run';

const CANDIDATES_SHOWN = 10;
/** How many runs are looked through: visibility searches ids from the front alone. */
const SEARCH_LIMIT = 20_000;

/**
 * Finds a run by its whole id, its pipeline's name (the newest), an unambiguous beginning of it, its last six characters, or a part of
 * the moment that a scheduled run's id ends with.
 * Fails with `run.not-found` or `run.ambiguous`; the latter lists the candidates, newest first.
 */
export async function findRun(client: ThermidorClient, text: string): Promise<RunSummary> {
  const exact = await describeRun(client, text);
  if (exact) return exact;
  const newest = await newestOf(client, text);
  if (newest) return newest;
  const byPrefix = await collect(client, visibilityQuery(client.taskQueue, { startsWith: text }), () => true, CANDIDATES_SHOWN + 1);
  const found = byPrefix.length > 0 ? byPrefix : await byPart(client, text);
  const [only, ...others] = found;
  if (only === undefined) {
    throw new ClientProblem('run.not-found', `there is no run "${text}"`, {
      hint: `\`thermidor list\` shows the runs; give ${WAYS}`,
    });
  }
  if (others.length > 0) throw ambiguous(text, found);
  return only;
}

/** The newest execution under a workflow id, undefined where there is none. */
export async function describeRun(client: ThermidorClient, workflowId: string): Promise<RunSummary | undefined> {
  try {
    return summaryOf(await client.call(() => client.temporal.workflow.getHandle(workflowId).describe()));
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

/** The newest run of a pipeline, where text is its whole name. Runs of child pipelines belong to their parents. */
async function newestOf(client: ThermidorClient, pipeline: string): Promise<RunSummary | undefined> {
  const query = visibilityQuery(client.taskQueue, { pipeline });
  // Visibility lists open runs first, and the others by their end.
  const [newest] = await collect(client, query, ({ parent }) => parent === undefined, SEARCH_LIMIT);
  return newest;
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
  await client.call(async () => {
    let seen = 0;
    for await (const info of client.temporal.workflow.list({ query })) {
      const run = summaryOf(info);
      if (wanted(run) && !found.has(run.run)) found.set(run.run, run);
      if (found.size >= limit || ++seen >= SEARCH_LIMIT) return;
    }
  });
  return [...found.values()].sort((a, b) => b.startedAt.localeCompare(a.startedAt));
}

function ambiguous(text: string, found: readonly RunSummary[]): ClientProblem {
  const shown = found.slice(0, CANDIDATES_SHOWN).map((run) => run.run);
  const more = found.length > CANDIDATES_SHOWN ? ', …' : '';
  return new ClientProblem('run.ambiguous', `"${text}" fits several runs: ${shown.join(', ')}${more}`, {
    hint: `give ${WAYS}`,
    details: { candidates: shown },
  });
}
