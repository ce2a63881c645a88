import { listEnded } from '../../client/list-ended';
import { listPage, type RunPage } from '../../client/list-page';
import type { RunFilter } from '../../client/list-runs';
import type { RunSummary } from '../../client/run-summary';
import { defined } from '../../plan/defined';
import { RUN_STATES } from '../../plan/run/status';
import type { Invocation } from '../command';
import { EXIT } from '../exit';
import { questionLine } from '../rendering/gate';
import { runStateText } from '../rendering/states';
import { namedAddress } from '../rendering/step-tree';
import { renderEmpty } from '../rendering/text/empty';
import { renderTable } from '../rendering/text/table';
import { elapsed, localTime } from '../rendering/text/time';
import { ifNothingHasRun } from '../session/nothing-has-run';
import { withSession } from '../session/with-session';
import { givenFlags } from '../settings/given-flags';
import { configurationOf } from '../settings/settings';
import type { Terminal } from '../terminal';

const LIMIT = 50;

/** Lists runs from visibility and memo: no worker is asked, so hundreds cost as much as one. Runs of child pipelines need `--all`. */
export async function execute(invocation: Invocation): Promise<number> {
  const { options, terminal } = invocation;
  const limit = options.number('limit', 1) ?? LIMIT;
  const filter: RunFilter & { limit: number } = { limit };
  const state = RUN_STATES.find((known) => known === options.text('state'));
  const pipeline = options.text('pipeline');
  if (state !== undefined) filter.state = state;
  if (pipeline !== undefined) filter.pipeline = pipeline;
  if (options.flag('waiting')) filter.waiting = true;
  if (options.flag('all')) filter.children = true;
  const list = options.flag('ended') ? listEnded : listPage;
  const listed = withSession(invocation, 'server', (session) => list(session.client, filter, options.text('cursor')));
  const { runs, next } = await ifNothingHasRun(listed, (why): RunPage => {
    terminal.err(why);
    return { runs: [] };
  });
  const flags = givenFlags(configurationOf(invocation));
  if (options.flag('json')) terminal.out(`${JSON.stringify({ runs, ...defined({ next }) }, null, 2)}\n`);
  else if (runs.length > 0) {
    terminal.out(table(runs, terminal));
    if (next !== undefined) terminal.err(`more with the same options and --cursor ${next}\n`);
  } else if (state ?? pipeline ?? (filter.waiting || options.flag('ended') || options.text('cursor')))
    terminal.err(renderEmpty('no such runs', 'see all with', 'list --all', flags));
  else terminal.err(renderEmpty('no runs', 'start one with', 'run PIPELINE', flags));
  return EXIT.done;
}

function table(runs: readonly RunSummary[], terminal: Terminal): string {
  const { colors } = terminal;
  const now = Date.now();
  const rows = runs.map((run) => [
    run.run,
    run.parent === undefined ? run.pipeline : `${run.pipeline} ${colors.dim(`↳ ${run.parent}`)}`,
    run.imported ? `${runStateText(run.state, colors)} ${colors.dim('imported')}` : runStateText(run.state, colors),
    localTime(run.startedAt),
    elapsed(run.startedAt, run.endedAt, now),
    run.gates.map((gate) => `${namedAddress(gate.step, gate.item)}: ${questionLine(gate.question)}`).join('; '),
  ]);
  return renderTable(['RUN', 'PIPELINE', 'STATE', 'STARTED', 'TIME', 'WAITS FOR'], rows, terminal);
}
