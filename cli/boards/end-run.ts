import { actOnRun, cancelRun } from '../../client/act-on-run';
import { ClientProblem } from '../../client/client-problem';
import type { ThermidorClient } from '../../client/connect';
import { hasEnded, type RunOutcome } from '../../client/outcome';
import { sleep } from '../../client/pause';
import { pollOutcome } from '../../client/read-outcome';
import { readStatus } from '../../client/read-run';
import type { RunSummary } from '../../client/run-summary';
import { field } from '../../plan/text/json';
import type { Invocation } from '../command';
import { CommandFailure, EXIT } from '../exit';
import { orderedBy } from '../session/send-order';
import type { Session } from '../session/session';
import type { Configuration } from '../settings/configuration';
import type { Terminal } from '../terminal';
import { boardOf } from './board-of';

/** One look of the server at the run. */
const POLL_MS = 50_000;

interface Ends {
  by: string;
  /** At once: what is in progress is cut off. */
  now: boolean;
}

/**
 * Ends the run of a team, and waits for it. Repeating it is harmless. Fails with `team.still-opening` or `team.still-ending` if the wait
 * was broken off, and with `team.paused` if nobody there would end anything.
 */
export async function endRun(
  session: Session,
  { run, runId, state }: RunSummary,
  { by, now }: Ends,
  terminal: Terminal,
): Promise<RunOutcome> {
  const { client } = session;
  const { interrupted } = terminal;
  if (!hasEnded(state)) await askToEnd(session, run, { by, now }, interrupted);
  for (;;) {
    const outcome = await pollOutcome(client, run, POLL_MS, interrupted, runId);
    if (outcome) return outcome;
    if (interrupted.aborted)
      throw new CommandFailure(EXIT.detached, 'team.still-ending', `${run} is still ending; the same command again goes on from there`);
  }
}

/** Members of a board that is not open yet have nothing to end: it is waited for. */
async function askToEnd({ client }: Session, run: string, { by, now }: Ends, interrupted: AbortSignal): Promise<void> {
  try {
    if (now) {
      await cancelRun(client, run, `by ${by}`);
      return;
    }
    while (!(await isAskedToEnd(client, run, by))) await untilNextLook(run, interrupted);
  } catch (error) {
    // It has ended by itself meanwhile.
    if (!(error instanceof ClientProblem && error.code === 'run.ended')) throw error;
  }
}

/** False: its board is not open yet. */
async function isAskedToEnd(client: ThermidorClient, run: string, by: string): Promise<boolean> {
  const view = await readStatus(client, run);
  if (view.state === 'paused')
    throw new CommandFailure(EXIT.waits, 'team.paused', `${run} is paused: its members end nothing before it goes on`, {
      hint: `thermidor unpause ${run}; or end it at once with thermidor team stop --now`,
    });
  const board = boardOf(view);
  if (hasEnded(view.state) || board?.isDraining) return true;
  if (!board) return false;
  try {
    await actOnRun(client, run, 'drain', { by });
    return true;
  } catch (error) {
    // The board of the run before, which this one has not taken up yet.
    if (error instanceof ClientProblem && field(error.more.details, 'outcome') === 'early') return false;
    throw error;
  }
}

const LOOK_MS = 100;

/** For a run that has only just begun. Fails with `team.still-opening` if the wait was broken off. */
export async function untilNextLook(run: string, interrupted: AbortSignal): Promise<void> {
  await sleep(LOOK_MS, interrupted);
  if (interrupted.aborted) throw new CommandFailure(EXIT.detached, 'team.still-opening', `${run} is still opening, and was left as it is`);
}

/** Who ends the team, and how, as the command line says it. */
export function enderOf(invocation: Pick<Invocation, 'options' | 'terminal'>, { user }: Pick<Configuration, 'user'>): Ends {
  const { by = 'somebody' } = orderedBy(invocation, user.value);
  return { by, now: invocation.options.flag('now') };
}
