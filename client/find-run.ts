import { WorkflowNotFoundError } from '@temporalio/client';
import type { ThermidorClient } from './connect';
import { type RunSummary, summaryOf, visibilityQuery } from './list-runs';
import { ClientProblem } from './problem';
import { isRunSuffix } from './run-id';

const CANDIDATES_SHOWN = 10;
/** How many runs are looked through for six characters at the end of an id: visibility can only search from the front. */
const SUFFIX_SEARCH_LIMIT = 20_000;

/**
 * Finds a run by its whole id, an unambiguous beginning of it, or its last six characters.
 * Fails with `run.not-found` or `run.ambiguous`; the latter lists the candidates, newest first.
 */
export async function findRun(client: ThermidorClient, text: string): Promise<RunSummary> {
  const exact = await describeRun(client, text);
  if (exact) return exact;
  const byPrefix = await collect(client, visibilityQuery(client.taskQueue, { startsWith: text }), () => true, CANDIDATES_SHOWN + 1);
  const found = byPrefix.length > 0 || !isRunSuffix(text) ? byPrefix : await bySuffix(client, text);
  const [only, ...others] = found;
  if (only === undefined) {
    throw new ClientProblem('run.not-found', `there is no run "${text}"`, {
      hint: '`thermidor list` shows the runs; give an id, its beginning, or its last 6 characters',
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

function bySuffix(client: ThermidorClient, suffix: string): Promise<RunSummary[]> {
  return collect(client, visibilityQuery(client.taskQueue, {}), (run) => run.run.endsWith(`-${suffix}`), CANDIDATES_SHOWN + 1);
}

/** Distinct runs that a query and a test give, of each id the newest execution: the server lists that first. */
async function collect(client: ThermidorClient, query: string, wanted: (run: RunSummary) => boolean, limit: number): Promise<RunSummary[]> {
  const found = new Map<string, RunSummary>();
  await client.call(async () => {
    let seen = 0;
    for await (const info of client.temporal.workflow.list({ query })) {
      const run = summaryOf(info);
      if (wanted(run) && !found.has(run.run)) found.set(run.run, run);
      if (found.size >= limit || ++seen >= SUFFIX_SEARCH_LIMIT) return;
    }
  });
  return [...found.values()].sort((a, b) => b.startedAt.localeCompare(a.startedAt));
}

function ambiguous(text: string, found: readonly RunSummary[]): ClientProblem {
  const shown = found.slice(0, CANDIDATES_SHOWN).map((run) => run.run);
  const more = found.length > CANDIDATES_SHOWN ? ', …' : '';
  return new ClientProblem('run.ambiguous', `"${text}" fits several runs: ${shown.join(', ')}${more}`, {
    hint: 'give more of the id, or its last 6 characters',
    details: { candidates: shown },
  });
}
