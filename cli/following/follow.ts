import { randomUUID } from 'node:crypto';
import { actOnRun } from '../../client/act-on-run';
import { ClientProblem } from '../../client/client-problem';
import { closedAs } from '../../client/closed-run';
import { followRun } from '../../client/follow-run';
import type { RunOutcome } from '../../client/outcome';
import { sleep } from '../../client/pause';
import { isTransient } from '../../client/server-error';
import type { Script } from '../../plan/agents/script';
import { defined } from '../../plan/defined';
import type { GateView } from '../../plan/people/gate';
import type { SignalName, SignalPayload } from '../../plan/run/signal';
import type { RunView } from '../../plan/run/status';
import { shellWord } from '../../plan/text/shell-word';
import { EXIT } from '../exit';
import { outputPathsOf } from '../output-paths';
import { readForm } from '../response';
import { serverLocation } from '../session/server-location';
import type { Session } from '../session/session';
import { givenFlags } from '../settings/given-flags';
import { recordsOf } from '../settings/records';
import type { Terminal } from '../terminal';
import { userOf } from '../user';
import { GateAnswerer } from './answer-gates';
import { ConnectionLoss } from './connection-loss';
import { HeldNotice } from './held-notice';
import { openScreen } from './screen';
import { StoreWatch } from './store-watch';

export interface FollowRequest {
  session: Session;
  terminal: Terminal;
  run: string;
  json: boolean;
  /** The script whose people answer if there is no person at the terminal. */
  script?: Script;
  /** Leave, with exit 3, when the run waits for somebody who is not here. */
  leaveWhenWaiting: boolean;
}

export interface Followed {
  exit: number;
  view?: RunView;
  outcome?: RunOutcome;
  /** Decisions that the script's people made. */
  scripted: { step: string; choice: string; by?: string }[];
}

/** How long a decision is repeated if no worker takes it, before the person at the terminal learns of it. */
const DECIDE_PATIENCE_MS = 30_000;
const DECIDE_PAUSE_MS = 500;

/** Follows a run on the screen until it ends, rests, or the person leaves. Fails with the reason that kept the run from answering. */
export async function follow(request: FollowRequest): Promise<Followed> {
  const { session, terminal, run, json, script, leaveWhenWaiting } = request;
  const { client, configuration } = session;
  const screen = openScreen(terminal, json);
  const ask = terminal.interactive && !json;
  const records = recordsOf(configuration);
  const user = userOf(terminal, configuration.user.value);
  const keeper = new GateAnswerer({
    run,
    server: serverLocation(session),
    decide: (name, payload) => decide(session, run, { name, payload }, stopped.signal),
    terminal,
    screen,
    ask,
    pathsOf: (gate) => shownPaths(gate),
    formOf: (gate) => readForm(records.artifacts, gate),
    onSettled: () => {
      if (keeper.failed) stopped.abort();
      else leaveWhereDone();
    },
    ...defined({ script, user }),
  });
  const stopped = new AbortController();
  const followed: Followed = { exit: EXIT.detached, scripted: keeper.scripted };
  const shownPaths = async (gate: GateView): Promise<string[]> =>
    followed.view === undefined ? [] : await outputPathsOf(records, followed.view, gate);
  const leaveWhereDone = (): void => {
    const { view } = followed;
    if (stopped.signal.aborted || !leaveWhenWaiting || ask || view === undefined || !rests(view) || keeper.busy) return;
    followed.exit = EXIT.waits;
    stopped.abort();
  };
  const stays = ask || !leaveWhenWaiting;
  const notice = new HeldNotice(terminal.colors, givenFlags(configuration));
  const say = (message: string): void => screen.say(`${terminal.colors.yellow('…')} ${message}\n`);
  const sight = new ConnectionLoss(session, say);
  const store = new StoreWatch(session, say, () => stopped.abort());
  const events = followRun(client, run, { signal: AbortSignal.any([terminal.interrupted, stopped.signal]) });
  try {
    for await (const event of events) {
      if (event.kind === 'ended') {
        followed.outcome = event.outcome;
        if (followed.view !== undefined) followed.view = closedAs(followed.view, event.outcome);
        followed.exit = event.outcome.state === 'completed' ? EXIT.done : EXIT.failed;
        break;
      }
      if (event.kind === 'trouble') {
        sight.lost(event.problem, await store.look());
        continue;
      }
      sight.found();
      followed.view = event.view;
      screen.show(event.view);
      // If the user leaves now, the final output says so.
      const held = stays ? notice.consider(event.view) : '';
      if (held !== '') screen.say(held);
      keeper.consider(event.view);
      keeper.check();
      leaveWhereDone();
    }
  } finally {
    store.stop();
    stopped.abort();
    keeper.stop();
    screen.end(followed.view);
  }
  if (followed.outcome === undefined && store.isLost) throw store.trouble;
  keeper.check();
  return followed;
}

/**
 * Gives a decision; returns why it was not taken. A run that has ended meanwhile has no gate left to decide. If nobody answers it is sent
 * again as the same update, so it counts once.
 */
async function decide(
  { client }: Session,
  run: string,
  { name, payload }: { name: SignalName; payload: SignalPayload },
  stopped: AbortSignal,
): Promise<ClientProblem | undefined> {
  const updateId = randomUUID();
  for (const until = Date.now() + DECIDE_PATIENCE_MS; ; ) {
    try {
      await actOnRun(client, run, name, payload, updateId);
      return undefined;
    } catch (error) {
      if (!(error instanceof ClientProblem)) throw error;
      if (error.code === 'run.ended') return undefined;
      if (!isTransient(error) || stopped.aborted || Date.now() > until) return error;
    }
    await sleep(DECIDE_PAUSE_MS, stopped);
  }
}

/** The run moves again only when a person or an operator does something. */
function rests(view: RunView): boolean {
  return view.state === 'waiting' || view.state === 'held' || view.state === 'paused';
}

/** How to come back to a run that was left. */
export function reattach(run: string, session: Session): string {
  const works = session.served === 'here' ? 'It continues when you come back:' : 'It continues. To come back:';
  return `${works}\n  thermidor watch ${shellWord(run)}${givenFlags(session.configuration)}\n`;
}
