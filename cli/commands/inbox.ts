import { hasStateAttribute } from '../../client/list-page';
import { listRuns } from '../../client/list-runs';
import { withoutChildren } from '../../client/own-gates';
import type { RunSummary } from '../../client/run-summary';
import { defined } from '../../plan/defined';
import type { Invocation } from '../command';
import { EXIT } from '../exit';
import { answerLines } from '../rendering/answer';
import { renderInboxGate } from '../rendering/gate';
import { letterLines, renderInboxLetter } from '../rendering/letters';
import { renderEmpty } from '../rendering/text/empty';
import { readForm } from '../response';
import { ifNothingHasRun } from '../session/nothing-has-run';
import { serverLocation } from '../session/server-location';
import { withSession } from '../session/with-session';
import { recordsOf } from '../settings/records';

const INBOX_LIMIT = 10_000;

/** Every open gate of every run, oldest first, and behind them the messages to people, from memo alone. */
export async function execute(invocation: Invocation): Promise<number> {
  const { options, terminal } = invocation;
  const shown = withSession(invocation, 'server', async (session) => {
    const { client, configuration } = session;
    const place = serverLocation(session);
    const store = recordsOf(configuration).artifacts;
    const found = await listRuns(client, { forPeople: true, children: true, limit: INBOX_LIMIT }, await hasStateAttribute(client));
    if (found.length === INBOX_LIMIT) terminal.err(`only the first ${INBOX_LIMIT} runs that wait are shown\n`);
    const runs = withoutChildren(found.filter(({ gates }) => gates.length > 0));
    const messages = lettersOf(found);
    const open = runs.flatMap(({ run, pipeline, gates }) => gates.map((gate) => ({ run, pipeline, gate, only: gates.length === 1 })));
    open.sort((a, b) => a.gate.openedAt.localeCompare(b.gate.openedAt));
    const gates = await Promise.all(open.map(async (one) => ({ ...one, form: await readForm(store, one.gate) })));
    if (options.flag('json')) {
      const listed = gates.map(({ run, pipeline, gate, only, form }) => {
        const { form: _reference, ...rest } = gate;
        return { run, pipeline, ...rest, ...defined({ form }), answers: answerLines(run, gate, only, place, form) };
      });
      const letters = messages.map(({ run, pipeline, letter }) => ({ run, pipeline, ...letter, ...letterLines(run, letter, place) }));
      terminal.out(`${JSON.stringify({ gates: listed, messages: letters }, null, 2)}\n`);
      return EXIT.done;
    }
    const parts = [
      ...gates.map(({ run, gate, only, form }) => renderInboxGate(run, gate, only, place, terminal.colors, form)),
      ...messages.map(({ run, letter }) => renderInboxLetter(run, letter, place, terminal.colors)),
    ];
    if (parts.length === 0) terminal.err(renderEmpty('no open gates', 'list runs with', 'list', place.flags));
    else terminal.out(parts.join('\n'));
    return EXIT.done;
  });
  return ifNothingHasRun(shown, (why) => {
    terminal.err(why);
    if (options.flag('json')) terminal.out(`${JSON.stringify({ gates: [], messages: [] }, null, 2)}\n`);
    return EXIT.done;
  });
}

/** A child's messages are not its parent's. Oldest first. */
function lettersOf(runs: readonly RunSummary[]) {
  const letters = runs.flatMap(({ run, pipeline, letters = [] }) => letters.map((letter) => ({ run, pipeline, letter })));
  return letters.sort((a, b) => a.letter.at.localeCompare(b.letter.at));
}
