import { EXIT } from '../exit';
import type { Session } from '../session/session';
import type { Terminal } from '../terminal';
import { finishDocument, printFinish } from './finish';
import { comeBack, type Followed } from './follow';

/** How a run that was followed stands now that nobody follows it any more: of every command that starts one or goes on with it. */
export async function report(session: Session, terminal: Terminal, run: string, followed: Followed, json: boolean): Promise<void> {
  if (json) terminal.out(`${JSON.stringify(await finishDocument(session, run, followed), null, 2)}\n`);
  else if (followed.exit !== EXIT.detached) await printFinish(session, terminal, followed);
  if (followed.exit === EXIT.detached) terminal.err(`\n${comeBack(run, session)}`);
}
