import { findRun } from '../../client/find-run';
import { lookAtRun } from '../../client/look-at-run';
import type { RoundView, RunView } from '../../plan/status';
import type { Invocation } from '../command';
import { EXIT } from '../exit';
import { operatorLines } from '../following/follow';
import { type KeptLog, logsOfView } from '../logs/logs-of-view';
import { budgetLines } from '../rendering/budget';
import { renderAnswers, renderGate } from '../rendering/gate';
import { renderLogPaths } from '../rendering/printed-line';
import { renderRounds } from '../rendering/rounds';
import { placeOf } from '../rendering/step-tree';
import { renderTree } from '../rendering/tree';
import { readForm } from '../response';
import type { Session } from '../session/session';
import { withSession } from '../session/with-session';
import { shownPathsOf } from '../shown-paths';
import { openLogs, openStore, pathOf } from '../store';
import type { Terminal } from '../terminal';

/** The tree of a run as it is now, with what it waits for. */
export async function execute(invocation: Invocation): Promise<number> {
  const { args, options, terminal } = invocation;
  return withSession(invocation, 'answers', async (session) => {
    const view = await currentView(session, args[0] ?? '');
    const logs = await logsOfView(openLogs(session.configuration.stateDir.value), view);
    if (options.flag('json')) terminal.out(`${JSON.stringify({ ...view, logs }, null, 2)}\n`);
    else if (options.flag('rounds')) printRounds(view, session, terminal);
    else await print(view, logs, session, terminal);
    return EXIT.done;
  });
}

export async function currentView(session: Session, given: string): Promise<RunView> {
  const { run, startedAt } = await findRun(session.client, given);
  const view = await lookAtRun(session.client, run);
  // One that an earlier version has opened in vain does not say when it started.
  return { ...view, startedAt: view.startedAt ?? startedAt };
}

/** Also of runs that are over: the evidence of every round is kept. */
function printRounds(view: RunView, { configuration }: Session, { out, colors, columns }: Terminal): void {
  const stateDir = configuration.stateDir.value;
  const store = openStore(stateDir);
  const [headline = ''] = renderTree(view, { colors, columns: Math.max(80, columns()), now: Date.now() });
  const pathOfRound = ({ address, artifact }: RoundView) => artifact && pathOf(store, stateDir, view.run, address, artifact);
  out(`${headline}\n\n${renderRounds(view, pathOfRound, colors, Date.now())}`);
}

async function print(
  view: RunView,
  logs: readonly KeptLog[],
  { client, configuration }: Session,
  { out, colors, columns }: Terminal,
): Promise<void> {
  const stateDir = configuration.stateDir.value;
  out(`${renderTree(view, { colors, columns: Math.max(80, columns()), now: Date.now() }).join('\n')}\n`);
  out(renderLogPaths(logs, colors));
  if (view.budget !== undefined) out(`\n${budgetLines('run', view.budget, colors)}`);
  for (const step of view.steps) if (step.budget !== undefined) out(budgetLines(placeOf(step), step.budget, colors));
  const store = openStore(stateDir);
  for (const gate of view.gates) {
    const form = await readForm(store, gate);
    const shown = renderGate(gate, colors, () => shownPathsOf(view, gate, store, stateDir), form);
    out(`\n${shown}${renderAnswers(view.run, gate, view.gates.length === 1, client, colors, form)}`);
  }
  const lines = operatorLines(view);
  if (lines !== '') out(`\n${lines}`);
}
