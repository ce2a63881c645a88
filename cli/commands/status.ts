import { findRun } from '../../client/find-run';
import { hasEnded, readOutcome } from '../../client/follow-run';
import { readStatus } from '../../client/read-run';
import type { RunView } from '../../plan/status';
import type { Invocation } from '../command';
import { EXIT } from '../exit';
import { operatorLines } from '../following/follow';
import { renderAnswers, renderGate } from '../rendering/gate';
import { renderTree } from '../rendering/tree';
import type { Session } from '../session';
import { openStore, pathOf } from '../store';
import type { Terminal } from '../terminal';
import { withSession } from '../with-session';

/** The tree of a run as it is now, with what it waits for. */
export async function execute(invocation: Invocation): Promise<number> {
  const { args, options, terminal } = invocation;
  return withSession(invocation, 'answers', async (session) => {
    const view = await currentView(session, args[0] ?? '');
    if (options.flag('json')) terminal.out(`${JSON.stringify(view, null, 2)}\n`);
    else print(view, session, terminal);
    return EXIT.done;
  });
}

/** A run that ended before it was open tells nothing itself: how it ended is read from the server. */
export async function currentView(session: Session, given: string): Promise<RunView> {
  const summary = await findRun(session.client, given);
  const view = await readStatus(session.client, summary.run);
  if (!hasEnded(summary.state) || (hasEnded(view.state) && (view.state !== 'failed' || view.error !== undefined))) return view;
  const outcome = await readOutcome(session.client, summary.run);
  if (outcome === undefined) return view;
  const endedAt = view.endedAt ?? summary.endedAt;
  const error = view.error ?? outcome.error;
  return {
    ...view,
    state: outcome.state,
    startedAt: view.startedAt ?? summary.startedAt,
    ...(endedAt === undefined ? {} : { endedAt }),
    ...(error === undefined ? {} : { error }),
  };
}

function print(view: RunView, { client, configuration }: Session, { out, colors, columns }: Terminal): void {
  const stateDir = configuration.stateDir.value;
  out(`${renderTree(view, { colors, columns: Math.max(80, columns()), now: Date.now() }).join('\n')}\n`);
  const store = openStore(stateDir);
  for (const gate of view.gates) {
    const paths = gate.shown.flatMap(({ step, artifact }) => {
      const address = view.steps.find(({ id }) => id === step)?.address ?? step;
      return pathOf(store, stateDir, view.run, address, artifact) ?? [];
    });
    out(`\n${renderGate(gate, colors, () => paths)}${renderAnswers(view.run, gate, view.gates.length === 1, client, colors)}`);
  }
  const lines = operatorLines(view);
  if (lines !== '') out(`\n${lines}`);
}
