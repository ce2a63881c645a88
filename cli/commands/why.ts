import { drainedFleet, withDrained } from '../../client/drained-fleet';
import { findRun } from '../../client/find-run';
import { hasEnded } from '../../client/outcome';
import { versionSkew } from '../../client/version-skew';
import { whyRun } from '../../client/why';
import { ThermidorFailure } from '../../plan/run/failure';
import type { Invocation } from '../command';
import { EXIT } from '../exit';
import { logsOfView } from '../logs/logs-of-view';
import { skewLines } from '../rendering/fleet';
import { clearLines, nextLines } from '../rendering/next-actions';
import { renderLogPaths } from '../rendering/text/printed-line';
import { renderWhy } from '../rendering/why';
import { failedStep } from '../rerun/failed-step';
import { readViewIfAny } from '../rerun/read-view';
import { readForm } from '../response';
import { serverLocation } from '../session/server-location';
import { withSession } from '../session/with-session';
import { recordsOf } from '../settings/records';

/** Shows what a run waits for. Needs no worker: without one it says so, and shows what lists know. */
export async function execute(invocation: Invocation): Promise<number> {
  const { args, options, terminal } = invocation;
  return withSession(invocation, 'answers', async (session) => {
    const { client, configuration } = session;
    const store = recordsOf(configuration).artifacts;
    const { stored, problems } = patientReader();
    const place = serverLocation(session);
    const { run, state, view, ...known } = await whyRun(client, await findRun(client, args[0]));
    const fleet = await stored(() => drainedFleet(client, recordsOf(configuration).drained), undefined);
    const reasons = withDrained(known.reasons, fleet);
    const skew = hasEnded(state) ? [] : await versionSkew(client);
    const from = view && (await failedStep(view, (child) => readViewIfAny(client, child)));
    const over = view === undefined ? [] : nextLines(view, place.flags, from);
    const gates = reasons.filter(({ gate }) => gate !== undefined).length;
    const rendered = await Promise.all(
      reasons.map(async (reason) => {
        const { gate } = reason;
        const form = gate && (await stored(() => readForm(store, gate), undefined));
        return { ...reason, clear: reason.kind === 'ended' ? over : clearLines(run, reason, { only: gates === 1, place, form }) };
      }),
    );
    const starter = view?.startedBy === undefined ? {} : { startedBy: view.startedBy };
    const logs =
      view === undefined
        ? []
        : await stored(() => logsOfView(recordsOf(configuration).logs, view, (child) => readViewIfAny(client, child)), []);
    if (options.flag('json')) terminal.out(`${JSON.stringify({ run, state, ...starter, reasons: rendered, logs }, null, 2)}\n`);
    else terminal.out(renderWhy({ run, state, ...starter }, rendered, terminal.colors, Date.now()) + renderLogPaths(logs, terminal.colors));
    terminal.err(skewLines(skew, terminal.colors));
    for (const problem of problems) terminal.err(`${terminal.colors.yellow('!')} ${problem}\n`);
    return EXIT.done;
  });
}

/** Reads what may be left out while the store is away: that is when people ask why a run waits. */
function patientReader() {
  const problems = new Set<string>();
  const stored = async <T>(read: () => Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof ThermidorFailure) || error.code !== 'store.unavailable') throw error;
      problems.add(error.message);
      return otherwise;
    }
  };
  return { stored, problems };
}
