import type { ProblemCode } from '../../client/client-problem';
import type { Invocation } from '../command';
import { configurationOf } from '../settings/settings';
import type { Terminal } from '../terminal';
import { openSession, type Session } from './session';
import type { Need, SessionOptions } from './session-options';
import { stateFolderProblem } from './state-folder-problem';

/** Opens what a command needs, does its work and closes everything, whatever happens. */
export async function withSession<T>(
  invocation: Pick<Invocation, 'options' | 'terminal'>,
  need: Need,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const session = await openSession({ configuration: configurationOf(invocation), need, ...sessionLogTo(invocation.terminal) });
  try {
    return await work(session);
  } catch (error) {
    // Where the disk takes nothing more, nobody can answer.
    throw (isSilence(error) ? await stateFolderProblem(session) : undefined) ?? error;
  } finally {
    await session.close();
  }
}

/** That nobody answered, or nobody could. */
function isSilence(error: unknown): boolean {
  return error instanceof Error && error.name === 'ClientProblem' && 'code' in error && SILENCE.has(error.code);
}

const SILENCE: ReadonlySet<unknown> = new Set<ProblemCode>(['worker.missing', 'server.unreachable', 'server.refused']);

/** What the terminal shows while a session opens and closes. Ctrl-C ends the waiting for work of others. */
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
