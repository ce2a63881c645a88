import type { Invocation } from '../command';
import type { Session } from '../session/session';
import { warnNoWorker } from '../session/unserved-queues';
import type { TeamOrder } from './team-order';

/** Says that a team runs, and what is missing if it has no worker. */
export async function sayStarted(session: Session, { team, run, script }: TeamOrder, { options, terminal }: Invocation): Promise<void> {
  const { colors } = terminal;
  if (options.flag('json')) terminal.out(`${JSON.stringify({ team, run, state: 'running' }, null, 2)}\n`);
  else terminal.out(`${colors.green('✓')} started ${team}: ${run}\n`);
  if (script) terminal.err(`${colors.yellow(`The script "${script.script.name}" plays the agents: no model is called.`)}\n`);
  if (session.served === 'nowhere' || session.served === 'here') terminal.err('It needs a worker to continue: thermidor up.\n');
  await warnNoWorker(session, terminal);
}
