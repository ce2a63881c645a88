import { describeRun } from '../../client/find-run';
import { hasEnded } from '../../client/outcome';
import { readStatus } from '../../client/read-run';
import type { RunSummary } from '../../client/run-summary';
import { teamRunId } from '../../plan/board/team-run';
import type { RunView } from '../../plan/run/status';
import { newestRun } from '../../records/runs/list-runs';
import { ALREADY_RUNS } from '../boards/already-runs';
import { beginRun } from '../boards/begin-run';
import { boardOf } from '../boards/board-of';
import { enderOf, endRun, untilNextLook } from '../boards/end-run';
import { sayStarted } from '../boards/say-started';
import { readTeam, type TeamOrder, teamNamed } from '../boards/team-order';
import type { Invocation } from '../command';
import { CommandFailure, EXIT } from '../exit';
import { isOtherScript } from '../rerun/original';
import type { Session } from '../session/session';
import { withSession } from '../session/with-session';
import { recordsOf } from '../settings/records';
import { configurationOf } from '../settings/settings';
import { storedOrder } from '../starting/stored-order';

/**
 * Brings a team to what its file now says: a run is frozen, so it ends, and the next one takes up its board.
 *
 * Invariants: 1. a file with mistakes ends nothing; 2. wherever this is broken off, the same command again does the rest; 3. of several at
 * once one starts the next run, and those with the same file agree.
 */
export async function execute(invocation: Invocation): Promise<number> {
  const configuration = configurationOf(invocation);
  const team = teamNamed(invocation);
  return withSession(invocation, { configuration, need: 'worker' }, async (session) => {
    const last = await describeRun(session.client, teamRunId(team));
    const view = last && (await openedView(session, last, invocation.terminal.interrupted));
    const order = await readTeam(invocation, { script: view?.script });
    if (last && view && (await needsNothing(session, order, last, view))) {
      const { state } = last;
      if (invocation.options.flag('json'))
        invocation.terminal.out(`${JSON.stringify({ team, run: last.run, state, applied: false }, null, 2)}\n`);
      else invocation.terminal.out(`${unchanged(order, hasEnded(state))}\n`);
      return EXIT.done;
    }
    if (!last && !(await newestRun(recordsOf(configuration), order.run))) throw neverStarted(team);
    if (last) await endRun(session, last, { ...enderOf(invocation, configuration), now: false }, invocation.terminal);
    await begin(session, order);
    await sayStarted(session, order, invocation);
    return EXIT.done;
  });
}

/** A run that has only just begun does not know its plan yet. */
async function openedView({ client }: Session, { run, state }: RunSummary, interrupted: AbortSignal): Promise<RunView> {
  for (;;) {
    const view = await readStatus(client, run);
    if (view.plan || hasEnded(state) || hasEnded(view.state)) return view;
    await untilNextLook(run, interrupted);
  }
}

function neverStarted(team: string): CommandFailure {
  return new CommandFailure(EXIT.usage, 'team.not-started', `team ${team} has never run`, {
    hint: `start it: thermidor team start ${team}`,
  });
}

/** A team that is about to end is followed by another run, whatever the file says. */
async function needsNothing(session: Session, order: TeamOrder, { state }: RunSummary, view: RunView): Promise<boolean> {
  const isEnding = !hasEnded(state) && boardOf(view)?.isDraining === true;
  return !isEnding && (await isSame(session, order, view));
}

async function isSame({ configuration }: Session, order: TeamOrder, view: RunView): Promise<boolean> {
  const { plan, script } = await storedOrder(order);
  return view.plan?.sha256 === plan.sha256 && !(await isOtherScript(view, script && { ref: script }, configuration));
}

function unchanged({ team, pipeline }: TeamOrder, isOver: boolean): string {
  const nothing = `${pipeline.file} has not changed: nothing to apply`;
  return isOver ? `${nothing}. ${team} is not running; start it with: thermidor team start ${team}` : nothing;
}

/** Somebody else may have been first, with the same file. */
async function begin(session: Session, order: TeamOrder): Promise<void> {
  try {
    await beginRun(session, order, { anew: false });
  } catch (error) {
    if (!(error instanceof CommandFailure && error.code === ALREADY_RUNS)) throw error;
    if (await isSame(session, order, await readStatus(session.client, order.run))) return;
    throw new CommandFailure(EXIT.failed, 'team.other-file', `${order.team} was started meanwhile with another file`, {
      hint: `apply yours after that: thermidor team apply ${order.team}`,
    });
  }
}
