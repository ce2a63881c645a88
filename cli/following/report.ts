import { openRecords } from '../../records/open-records';
import { EXIT } from '../exit';
import { lastWords } from '../logs/logs-of-view';
import { renderLastWords } from '../rendering/printed-line';
import { lookOrNothing } from '../rerun/look';
import type { Session } from '../session/session';
import type { Terminal } from '../terminal';
import { finishDocument, printFinish } from './finish';
import { comeBack, type Followed } from './follow';

/** How a run that was followed is now that nobody follows it any more: of every command that starts one or continues with it. */
export async function report(session: Session, terminal: Terminal, run: string, followed: Followed, json: boolean): Promise<void> {
  if (followed.exit !== EXIT.detached) await printLastWords(session, terminal, followed);
  if (json) terminal.out(`${JSON.stringify(await finishDocument(session, run, followed), null, 2)}\n`);
  else if (followed.exit !== EXIT.detached) await printFinish(session, terminal, followed);
  if (followed.exit === EXIT.detached) terminal.err(`\n${comeBack(run, session)}`);
}

/** Of the steps that failed or are held. A log that cannot be read here only leaves it out. */
async function printLastWords({ client, configuration }: Session, { err, colors }: Terminal, { view }: Followed): Promise<void> {
  if (view === undefined) return;
  const told = await lastWords(openRecords(configuration.stateDir.value).logs, view, (child) => lookOrNothing(client, child)).catch(
    () => [],
  );
  for (const words of told) err(`\n${renderLastWords(view.run, words, colors)}`);
}
