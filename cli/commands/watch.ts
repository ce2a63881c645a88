import { findRun } from '../../client/find-run';
import { isTransient } from '../../client/server-error';
import type { Invocation } from '../command';
import { follow } from '../following/follow';
import { reportChanges } from '../following/report-changes';
import { unservedIn, warnUnserved } from '../serving/check-served';
import { type Opens, withSession } from '../session/with-session';
import { configurationOf } from '../settings/settings';
import { currentView } from './status';

/** Follows a run to its end, and works on it if nobody else does. At a gate without a terminal it continues waiting. */
export async function execute(invocation: Invocation): Promise<number> {
  const { args, options, terminal } = invocation;
  const configuration = configurationOf({ options, terminal });
  const json = options.flag('json');
  const opens: Opens = {
    configuration,
    need: 'worker',
    first: (client) => findRun(client, args[0]),
  };
  return withSession(invocation, opens, async (session) => {
    const { run } = await findRun(session.client, args[0]);
    // It continues already; its failures are reported.
    const view = session.served === 'here' ? await currentView(session, run).catch(unknownYet) : undefined;
    if (view !== undefined) warnUnserved(await unservedIn(view, configuration, terminal.env), terminal);
    const followed = await follow({ session, terminal, run, json, leaveWhenWaiting: false });
    await reportChanges(session, terminal, run, followed, json);
    return followed.exit;
  });
}

/** It is followed all the same: a worker does not leave because one question failed. */
function unknownYet(error: unknown): undefined {
  if (!isTransient(error)) throw error;
}
