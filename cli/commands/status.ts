import { findRun } from '../../client/find-run';
import { endOutput, hasEnded } from '../../client/outcome';
import { readLiveRun } from '../../client/read-live-run';
import { readOutcome } from '../../client/read-outcome';
import { versionSkew } from '../../client/version-skew';
import { DESCRIPTIONS } from '../../kinds/descriptions';
import { defined } from '../../plan/defined';
import type { RoundView, RunView } from '../../plan/run/status';
import { jsonText } from '../../plan/text/json-text';
import { type Spelled, setSpelled } from '../../plan/text/spelled-json';
import { locateOutput } from '../../records/read-content';
import { type ImportRecord, readImport } from '../../records/runs/imported-run';
import type { Invocation } from '../command';
import { EXIT } from '../exit';
import { followedResult } from '../following/result';
import { type KeptLog, logsOfView } from '../logs/logs-of-view';
import { outputPathsOf } from '../output-paths';
import { budgetLines } from '../rendering/budget';
import { skewLines } from '../rendering/fleet';
import { renderAnswers, renderGate } from '../rendering/gate';
import { nextLines, renderNext } from '../rendering/next-actions';
import { renderResult } from '../rendering/result';
import { renderRounds } from '../rendering/rounds';
import { pathOfStep } from '../rendering/step-tree';
import { renderLogPaths } from '../rendering/text/printed-line';
import { renderTree } from '../rendering/tree';
import { failedStep } from '../rerun/failed-step';
import { readViewIfAny } from '../rerun/read-view';
import { recordedView } from '../rerun/recorded-view';
import { readForm } from '../response';
import { serverLocation } from '../session/server-location';
import type { Session } from '../session/session';
import { shownContent } from '../session/shown-content';
import { withSession } from '../session/with-session';
import { givenFlags } from '../settings/given-flags';
import { recordsOf } from '../settings/records';
import type { Terminal } from '../terminal';

/** The tree of a run as it is now, with what it waits for. */
export async function execute(invocation: Invocation): Promise<number> {
  const { args, options, terminal } = invocation;
  return withSession(invocation, 'answers', async (session) => {
    const view = await currentView(session, args[0]);
    const logs = await logsOfView(recordsOf(session.configuration).logs, view, (child) => readViewIfAny(session.client, child));
    if (options.flag('json')) terminal.out(`${jsonText(await document(view, logs, session), { step: '  ' })}\n`);
    else if (options.flag('rounds')) await printRounds(view, session, terminal);
    else await print(view, logs, session, terminal);
    if (!hasEnded(view.state)) terminal.err(skewLines(await versionSkew(session.client), terminal.colors));
    return EXIT.done;
  });
}

export async function currentView(session: Session, given: string | undefined): Promise<RunView> {
  const { run, startedAt } = await findRun(session.client, given);
  const view = await readLiveRun(session.client, run);
  const known = { ...view, startedAt: view.startedAt ?? startedAt };
  return await recordedView(known, () => recordsOf(session.configuration));
}

/** Also for runs that are over: the evidence of every round is kept. */
async function printRounds(view: RunView, { configuration }: Session, { out, colors, columns }: Terminal): Promise<void> {
  const records = recordsOf(configuration);
  const [headline = ''] = renderTree(view, { colors, columns: Math.max(80, columns()), now: Date.now() });
  const rounds = view.steps.flatMap((step): RoundView[] => [...(step.superseded ?? []), step]);
  const located = await Promise.all(
    rounds.map(async ({ address, artifact }) => [address, artifact && (await locateOutput(records, view.run, address, artifact))] as const),
  );
  const paths = new Map(located);
  out(`${headline}\n\n${renderRounds(view, ({ address }) => paths.get(address), colors, Date.now())}`);
}

async function document(view: RunView, logs: readonly KeptLog[], session: Session): Promise<object> {
  const output = await outputOf(view, session);
  const imported = await importOf(view, session);
  const found = { ...view, logs, ...defined({ imported }) };
  if (output !== undefined) setSpelled(found, 'output', output);
  return found;
}

/** The output of a run; the server has it, and the run's view has not. */
async function outputOf(view: RunView, { client }: Session): Promise<Spelled | undefined> {
  return view.state === 'completed' ? endOutput(await readOutcome(client, view.run)) : undefined;
}

function importOf({ run, firstRunId }: RunView, { configuration }: Session): Promise<ImportRecord | undefined> {
  return readImport(recordsOf(configuration).ledger, { workflowId: run, run: firstRunId });
}

async function print(view: RunView, logs: readonly KeptLog[], session: Session, { out, colors, columns }: Terminal): Promise<void> {
  const { client, configuration } = session;
  const place = serverLocation(session);
  out(`${renderTree(view, { colors, columns: Math.max(80, columns()), now: Date.now() }).join('\n')}\n`);
  out(renderLogPaths(logs, colors));
  const imported = await importOf(view, session);
  if (imported) out(colors.dim(`imported: this is how it was at ${imported.exportedAt}; it can only be looked at here\n`));
  if (view.budget !== undefined) out(`\n${budgetLines('run', view.budget, colors)}`);
  for (const step of view.steps)
    if (step.budget !== undefined) out(budgetLines(pathOfStep(step), step.budget, colors, DESCRIPTIONS[step.kind].each));
  const records = recordsOf(configuration);
  const store = records.artifacts;
  for (const gate of view.gates) {
    const form = await readForm(store, gate);
    const paths = await outputPathsOf(records, view, gate);
    const shown = renderGate(gate, colors, () => paths, form);
    out(`\n${shown}${renderAnswers(view.run, gate, view.gates.length === 1, place, colors, form)}`);
  }
  const result = await followedResult(view, await outputOf(view, session), await shownContent(records, view), givenFlags(configuration));
  if (result !== undefined) out(`\n${renderResult(result, colors)}`);
  const next = nextLines(view, givenFlags(configuration), await failedStep(view, (run) => readViewIfAny(client, run)));
  if (next.length > 0) out(`\n${renderNext(next, hasEnded(view.state))}`);
}
