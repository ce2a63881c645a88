import { ThermidorFailure } from '../../plan/run/failure';
import type { Invocation } from '../command';
import { CommandFailure, EXIT } from '../exit';
import type { Configuration } from '../settings/configuration';
import { configurationOf } from '../settings/settings';
import type { Terminal } from '../terminal';
import { behindDrain } from './drained-hosts';
import { openSession, type Session } from './session';
import type { Need, SessionOptions } from './session-options';
import { behindSilence } from './state-folder-problem';

/** Without a configuration: that of the invocation. */
export interface Opens extends Omit<SessionOptions, 'configuration' | keyof SessionLog> {
  configuration?: Configuration;
}

/** Opens what a command needs, does its work and closes everything, whatever happens. */
export async function withSession<T>(
  invocation: Pick<Invocation, 'options' | 'terminal'>,
  need: Need | Opens,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const opens: Opens = typeof need === 'string' ? { need } : need;
  const session = await openSession({
    ...opens,
    configuration: opens.configuration ?? configurationOf(invocation),
    ...sessionLogTo(invocation.terminal),
  });
  try {
    return await work(session);
  } catch (error) {
    throw otherFolder(error, session) ?? (await behindSilence(await behindDrain(error, session), session));
  } finally {
    await session.close();
  }
}

/** What a run on a configured server has left is in the store of its workers. */
function otherFolder(error: unknown, { embedded }: Session): CommandFailure | undefined {
  if (embedded !== undefined || !(error instanceof ThermidorFailure) || error.code !== 'artifact.missing') return undefined;
  const hint =
    'run this command where the worker is, or name its store: --state-dir, state_dir, or store; what `retention:` or a prune has removed is gone';
  return new CommandFailure(EXIT.failed, 'state.elsewhere', `${error.message}: the run's worker seems to have another store`, {
    hint,
  });
}

type SessionLog = Pick<SessionOptions, 'progress' | 'finish'>;

/** What the terminal shows while a session opens and closes. Ctrl-C ends the waiting for work of others. */
function sessionLogTo({ err, colors, interrupted }: Terminal): SessionLog {
  const say = (line: string): void => err(`${colors.dim(line)}\n`);
  return {
    progress: say,
    finish: { cut: interrupted, waitsFor: (runs) => say(`finishing work of ${named(runs)}; Ctrl-C to leave`) },
  };
}

const NAMED = 3;

function named(runs: readonly string[]): string {
  const more = runs.length - NAMED;
  return `${runs.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
