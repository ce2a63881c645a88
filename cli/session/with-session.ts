import { ThermidorFailure } from '../../plan/run/failure';
import type { Invocation } from '../command';
import { CommandFailure, EXIT } from '../exit';
import type { Configuration } from '../settings/configuration';
import { configurationOf } from '../settings/settings';
import type { Terminal } from '../terminal';
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
    // If the disk is full, nobody can answer.
    throw (isSilence(error) ? await stateFolderProblem(session) : otherFolder(error, session)) ?? error;
  } finally {
    await session.close();
  }
}

/** The files of a run on a configured server are in the state folder of its workers. */
function otherFolder(error: unknown, { embedded }: Session): CommandFailure | undefined {
  if (embedded !== undefined || !(error instanceof ThermidorFailure) || error.code !== 'artifact.missing') return undefined;
  const hint = 'run this command where the worker is, or name its state folder: --state-dir, state_dir';
  return new CommandFailure(EXIT.failed, 'state.elsewhere', `${error.message}: the run's worker seems to have another state folder`, {
    hint,
  });
}

/** Whether the error means that nobody answered, or could. */
function isSilence(error: unknown): boolean {
  return error instanceof Error && error.name === 'ClientProblem' && 'code' in error && SILENCE.has(error.code);
}

const SILENCE: ReadonlySet<unknown> = new Set<ProblemCode>(['worker.missing', 'server.unreachable', 'server.refused']);

/** What the terminal shows while a session opens and closes. Ctrl-C ends the wait for work of others. */
export function sessionLogTo({ err, colors, interrupted }: Terminal): Pick<SessionOptions, 'progress' | 'finish'> {
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
