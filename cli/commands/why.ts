import { findRun } from '../../client/find-run';
import type { Reason } from '../../client/reasons';
import { whyRun } from '../../client/why';
import type { Invocation } from '../command';
import { EXIT } from '../exit';
import { logsOfView } from '../logs/logs-of-view';
import { answerLines, type ServerPlace, word } from '../rendering/answer';
import { renderLogPaths } from '../rendering/printed-line';
import { renderWhy } from '../rendering/why';
import { serverPlace } from '../session/server-place';
import { withSession } from '../session/with-session';
import { openLogs } from '../store';

/** What a run waits for. Needs no worker: without one it says so, and what lists know. */
export async function execute(invocation: Invocation): Promise<number> {
  const { args, options, terminal } = invocation;
  return withSession(invocation, 'answers', async (session) => {
    const { client, configuration } = session;
    const place = serverPlace(session);
    const { run, state, reasons, view } = await whyRun(client, await findRun(client, args[0] ?? ''));
    const gates = reasons.filter(({ gate }) => gate !== undefined).length;
    const told = reasons.map((reason) => ({ ...reason, clear: clearLines(run, reason, gates === 1, place) }));
    const starter = view?.startedBy === undefined ? {} : { startedBy: view.startedBy };
    const logs = view === undefined ? [] : await logsOfView(openLogs(configuration.stateDir.value), view);
    if (options.flag('json')) terminal.out(`${JSON.stringify({ run, state, ...starter, reasons: told, logs }, null, 2)}\n`);
    else terminal.out(renderWhy({ run, state, ...starter }, told, terminal.colors, Date.now()) + renderLogPaths(logs, terminal.colors));
    return EXIT.done;
  });
}

/** The lines that clear it, ready to paste; none where it clears itself. */
function clearLines(run: string, { kind, step, gate }: Reason, onlyGate: boolean, server: ServerPlace): string[] {
  const id = word(run);
  const line = (text: string): string => `thermidor ${text}${server.flags ?? ''}`;
  switch (kind) {
    case 'gate':
    case 'budget':
      return gate === undefined ? [] : answerLines(run, gate, onlyGate, server).map(({ thermidor }) => thermidor);
    case 'held': {
      const at = word(step ?? '');
      return [line(`retry ${id} ${at}`), line(`skip ${id} ${at}`), line(`abort ${id}`)];
    }
    case 'paused':
      return [line(`unpause ${id}`)];
    case 'no-worker':
      return [line(server.embedded ? 'up' : 'worker'), ...(server.embedded ? [line(`watch ${id}`)] : [])];
    default:
      return [];
  }
}
