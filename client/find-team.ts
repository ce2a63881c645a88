import { teamRunId } from '../plan/board/team-run';
import type { ThermidorClient } from './connect';
import { describeRun, findRun } from './find-run';
import type { RunSummary } from './run-summary';

/**
 * Finds the run of a team: a team that outlives its runs by its name, any other by its run, as `findRun` does; without a text the newest
 * run. Fails as `findRun` does.
 */
export async function findTeam(client: ThermidorClient, text: string | undefined): Promise<RunSummary> {
  return (text === undefined ? undefined : await describeRun(client, teamRunId(text))) ?? (await findRun(client, text));
}
