import { ClientProblem } from '../../client/client-problem';
import { describeRun } from '../../client/find-run';
import { hasEnded } from '../../client/outcome';
import { startRun } from '../../client/start-run';
import { defined } from '../../plan/defined';
import type { Carry } from '../../plan/run/carry';
import type { Session } from '../session/session';
import { recordsOf } from '../settings/records';
import { storedOrder } from '../starting/stored-order';
import { alreadyRuns } from './already-runs';
import { keptBoard } from './kept-board';
import type { TeamOrder } from './team-order';

/**
 * Starts the next run of a team, with the board that the last one has left. Of several at once one starts, and the others fail.
 *
 * Fails with `team.running`, `team.board-lost`, and as `gatherCarry`.
 */
export async function beginRun(session: Session, order: TeamOrder, how: { anew: boolean }): Promise<void> {
  const { client, configuration } = session;
  const { run, team, args, compiled, starter } = order;
  const last = await describeRun(client, run);
  if (last && !hasEnded(last.state)) throw alreadyRuns(team, run, last.startedAt);
  const stored = await storedOrder(order);
  const begins: NonNullable<Carry['begins']> = {
    ...{ plan: stored.plan.sha256, args },
    ...defined({
      script: stored.script?.sha256,
      startedBy: starter.startedBy,
      provenStarter: starter.token === undefined ? undefined : true,
    }),
  };
  const carried = how.anew ? undefined : await keptBoard(client, recordsOf(configuration), run, begins);
  const start = { workflowId: run, pipeline: team, args, ...starter, ...stored, follows: true as const };
  try {
    await startRun(client, { ...start, ...defined({ description: compiled.plan.description, carried }) });
  } catch (error) {
    if (error instanceof ClientProblem && error.code === 'run.exists') throw alreadyRuns(team, run);
    throw error;
  }
}
