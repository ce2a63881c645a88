import { listRuns } from '../../client/list-runs';
import type { Invocation } from '../command';
import { EXIT } from '../exit';
import { answerLines } from '../rendering/answer';
import { renderInboxGate } from '../rendering/gate';
import { withSession } from '../with-session';

const INBOX_LIMIT = 1000;

/** Every open gate of every run, oldest first, from memo alone. */
export async function execute(invocation: Invocation): Promise<number> {
  const { options, terminal } = invocation;
  return withSession(invocation, 'server', async ({ client }) => {
    const runs = await listRuns(client, { waiting: true, limit: INBOX_LIMIT });
    const open = runs.flatMap(({ run, pipeline, gates }) => gates.map((gate) => ({ run, pipeline, gate, only: gates.length === 1 })));
    open.sort((a, b) => a.gate.openedAt.localeCompare(b.gate.openedAt));
    if (options.flag('json')) {
      const gates = open.map(({ run, pipeline, gate, only }) => ({
        run,
        pipeline,
        ...gate,
        answers: answerLines(run, gate, only, client),
      }));
      terminal.out(`${JSON.stringify({ gates }, null, 2)}\n`);
    } else if (open.length === 0) terminal.err('no open gates\n');
    else terminal.out(open.map(({ run, gate, only }) => renderInboxGate(run, gate, only, client, terminal.colors)).join('\n'));
    return EXIT.done;
  });
}
