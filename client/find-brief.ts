import { BRIEF_ID, briefOfRunId } from '../plan/brief/brief-run';
import { ClientProblem } from './client-problem';
import type { ThermidorClient } from './connect';
import { describeRun, findRun } from './find-run';
import { listRuns } from './list-runs';
import type { RunSummary } from './run-summary';

/** How many runs are looked through, the newest first. */
const MOST_RUNS = 20_000;

/** Finds the run of a brief by the id of the brief, or by the run as `findRun` does. Fails as that does. */
export async function findBrief(client: ThermidorClient, text: string): Promise<RunSummary> {
  const exact = await describeRun(client, text);
  if (exact) return exact;
  if (!BRIEF_ID.test(text)) return await findRun(client, text);
  const runs = await listRuns(client, { limit: MOST_RUNS });
  const [found, ...others] = runs.filter(({ run }) => briefOfRunId(run)?.briefId === text);
  if (!found)
    throw new ClientProblem('run.not-found', `there is no run of a brief "${text}"`, { hint: 'see them with: thermidor brief list' });
  if (others.length === 0) return found;
  const candidates = [found, ...others].map(({ run }) => run);
  throw new ClientProblem('run.ambiguous', `several projects have a brief "${text}": ${candidates.join(', ')}`, {
    hint: 'give the id of the run',
    details: { candidates },
  });
}
