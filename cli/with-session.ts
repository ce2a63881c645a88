import type { Invocation } from './command';
import { openSession, type Session } from './session';
import type { Need } from './session-options';
import { configurationOf } from './settings';

/** Opens what a command needs, does its work and closes everything, whatever happens. */
export async function withSession<T>(
  invocation: Pick<Invocation, 'options' | 'terminal'>,
  need: Need,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const { terminal } = invocation;
  const session = await openSession({
    configuration: configurationOf(invocation),
    need,
    progress: (line) => terminal.err(`${terminal.colors.dim(line)}\n`),
  });
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}
