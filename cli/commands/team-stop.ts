import { describeRun } from '../../client/find-run';
import { hasEnded } from '../../client/outcome';
import { readStatus } from '../../client/read-run';
import { teamRunId } from '../../plan/board/team-run';
import { boardOf } from '../boards/board-of';
import { enderOf, endRun } from '../boards/end-run';
import { keepBoard } from '../boards/kept-board';
import { teamNamed } from '../boards/team-order';
import type { Invocation } from '../command';
import { EXIT } from '../exit';
import { leftOpen, openTasks } from '../rendering/open-tasks';
import { withSession } from '../session/with-session';
import { recordsOf } from '../settings/records';

/** Stops a team: nothing is claimed any more, and all are asked to shut down. Its board is kept for the next start. */
export async function execute(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const team = teamNamed(invocation);
  const run = teamRunId(team);
  return withSession(invocation, 'worker', async (session) => {
    const { client, configuration } = session;
    const last = await describeRun(client, run);
    if (!last) {
      say(invocation, { team, run, state: 'not started' }, `${team} is not running`);
      return EXIT.done;
    }
    const wasRunning = !hasEnded(last.state);
    const { state } = await endRun(session, last, enderOf(invocation, configuration), terminal);
    await keepBoard(client, recordsOf(configuration), run);
    const { tasks = [] } = boardOf(await readStatus(client, run)) ?? {};
    const open = leftOpen(tasks);
    const line = wasRunning ? `${terminal.colors.green('✓')} stopped ${team}` : `${team} is not running`;
    say(invocation, { team, run, state, open }, `${line}${openTasks(open)}`);
    return EXIT.done;
  });
}

function say({ options, terminal }: Invocation, said: object, line: string): void {
  terminal.out(options.flag('json') ? `${JSON.stringify(said, null, 2)}\n` : `${line}\n`);
}
