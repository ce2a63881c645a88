import { dirname } from 'node:path';
import { beginRun } from '../boards/begin-run';
import { sayStarted } from '../boards/say-started';
import { readTeam } from '../boards/team-order';
import type { Invocation } from '../command';
import { EXIT } from '../exit';
import { withSession } from '../session/with-session';

/** Starts a team. It goes on with the board that its last run has left. */
export async function execute(invocation: Invocation): Promise<number> {
  const order = await readTeam(invocation);
  const { configuration, pipeline } = order;
  const opens = { configuration, need: 'answers', begins: true, pipelineDirs: [dirname(pipeline.path)] } as const;
  return withSession(invocation, opens, async (session) => {
    await beginRun(session, order, { anew: invocation.options.flag('anew') });
    await sayStarted(session, order, invocation);
    return EXIT.done;
  });
}
