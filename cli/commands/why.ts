import { ClientProblem } from '../../client/client-problem';
import { drainedFleet, withDrained } from '../../client/drained-fleet';
import { findRun } from '../../client/find-run';
import { hasEnded } from '../../client/outcome';
import { versionSkew } from '../../client/version-skew';
import { whyRun } from '../../client/why';
import type { Check } from '../checks/check';
import { checkKeys } from '../checks/keys';
import { missingAttributes } from '../checks/search-attributes';
import type { Invocation } from '../command';
import { EXIT } from '../exit';
import { logsOfView } from '../logs/logs-of-view';
import { skewLines } from '../rendering/fleet';
import { clearLines, nextLines } from '../rendering/next-actions';
import { renderLogPaths } from '../rendering/text/printed-line';
import { renderWhy } from '../rendering/why';
import { failedStep } from '../rerun/failed-step';
import { readViewIfAny } from '../rerun/read-view';
import { recordedView } from '../rerun/recorded-view';
import { readForm } from '../response';
import { patientReader } from '../session/patient-reader';
import { serverLocation } from '../session/server-location';
import { withSession } from '../session/with-session';
import { recordsOf } from '../settings/records';
import { configurationOf } from '../settings/settings';
import type { Terminal } from '../terminal';

/**
 * Shows what a run waits for. Needs no worker: without one it says so, and shows what lists know. What it says of an expired key is said
 * first, because a server may answer nothing else then.
 */
export async function execute(invocation: Invocation): Promise<number> {
  const { args, options, terminal } = invocation;
  terminal.err(noticeLines(checkKeys(configurationOf(invocation)), terminal.colors));
  return withSession(invocation, 'answers', async (session) => {
    const { client, configuration } = session;
    const store = recordsOf(configuration).artifacts;
    const { stored, problems } = patientReader();
    const place = serverLocation(session);
    const { run, state, view, ...found } = await whyRun(client, await findRun(client, args[0]));
    const fleet = await stored(() => drainedFleet(client, recordsOf(configuration)), undefined);
    const reasons = withDrained(found.reasons, fleet);
    const skew = hasEnded(state) ? [] : await versionSkew(client);
    const attributes = hasEnded(state) || client.embedded ? undefined : await unlessRefused(missingAttributes(client));
    const known = view && (await stored(() => recordedView(view, () => recordsOf(configuration)), view));
    const from = known && (await failedStep(known, (child) => readViewIfAny(client, child)));
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
    if (attributes !== undefined) terminal.err(noticeLines([attributes], terminal.colors));
    for (const problem of problems) terminal.err(`${terminal.colors.yellow('!')} ${problem}\n`);
    return EXIT.done;
  });
}

function noticeLines(checks: readonly Check[], colors: Terminal['colors']): string {
  return skewLines(
    checks.map(({ name, says, hint = '', state }) => ({ text: `${name}: ${says}`, hint, blocks: state === 'failed' })),
    colors,
  );
}

/** `doctor` names an account that may not ask. */
async function unlessRefused(asked: Promise<Check | undefined>): Promise<Check | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof ClientProblem)) throw error;
    return undefined;
  }
}
