import { jsonText } from '../../plan/text/json-text';
import { EXIT } from '../exit';
import { lastWords } from '../logs/logs-of-view';
import { renderLastWords } from '../rendering/text/printed-line';
import { readViewIfAny } from '../rerun/read-view';
import type { Session } from '../session/session';
import { recordsOf } from '../settings/records';
import type { Terminal } from '../terminal';
import { type Followed, reattach } from './follow';
import { outcomeDocument, printOutcome } from './print-outcome';

/** Reports how a run is once it is no longer followed, for every command that starts or continues one. */
export async function reportChanges(session: Session, terminal: Terminal, run: string, followed: Followed, json: boolean): Promise<void> {
  if (followed.exit !== EXIT.detached) await printLastWords(session, terminal, followed);
  if (json) terminal.out(`${jsonText(await outcomeDocument(session, run, followed), { step: '  ' })}\n`);
  else if (followed.exit !== EXIT.detached) await printOutcome(session, terminal, followed);
  if (followed.exit === EXIT.detached) terminal.err(`\n${reattach(run, session)}`);
}

/** Prints the last output of steps that failed or are held. A log that cannot be read here is only left out. */
async function printLastWords({ client, configuration }: Session, { err, colors }: Terminal, { view }: Followed): Promise<void> {
  if (view === undefined) return;
  const ended = await lastWords(recordsOf(configuration).logs, view, (child) => readViewIfAny(client, child)).catch(() => []);
  for (const words of ended) err(`\n${renderLastWords(view.run, words, colors)}`);
}
