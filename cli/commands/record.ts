import { resolve } from 'node:path';
import { findRun } from '../../client/find-run';
import type { Invocation } from '../command';
import { EXIT } from '../exit';
import { saveRecording } from '../recording/save';
import { withSession } from '../session/with-session';

/** Turns a run into a script, whether it is over or still continues. */
export async function execute(invocation: Invocation): Promise<number> {
  const { args, options, terminal } = invocation;
  const path = resolve(terminal.cwd, args[1] ?? '');
  return withSession(invocation, 'answers', async (session) => {
    const { run } = await findRun(session.client, args[0] ?? '');
    const saved = await saveRecording(session, run, path, { replace: options.flag('force') });
    if (options.flag('json')) terminal.out(`${JSON.stringify(saved, null, 2)}\n`);
    else terminal.out(saved.says);
    return EXIT.done;
  });
}
