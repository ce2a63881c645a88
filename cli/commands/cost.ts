import { SCRIPTED } from '../../activities/toolbox';
import { defined } from '../../plan/defined';
import { shellWord } from '../../plan/text/shell-word';
import { readCosts } from '../../records/accounts/read-costs';
import { readPaid } from '../../records/accounts/read-paid';
import { COST_GROUPS, type CostGroup, type Paid, repliesIn, rowsBy, sumOf } from '../../records/accounts/sum';
import type { Records } from '../../records/records';
import { childrenOf } from '../../records/runs/list-runs';
import type { Invocation, Options } from '../command';
import { findRunOfFolder } from '../costs/find-run';
import { EXIT } from '../exit';
import { momentOf } from '../journal-filter';
import { renderRows, renderTotal } from '../rendering/cost';
import { renderEmpty } from '../rendering/text/empty';
import { recordsOf } from '../settings/records';
import { configurationOf } from '../settings/settings';

/** Shows what was paid for, for one run and its children or for all. Reads the ledger and needs neither server nor worker. */
export async function execute({ args, options, terminal }: Invocation): Promise<number> {
  const records = recordsOf(configurationOf({ options, terminal }));
  const by = COST_GROUPS.find((group) => group === options.text('by'));
  const asked = await paidIn(records, args[0], options, by === undefined ? OF_ALL : [by]);
  const counted = options.flag('scripted') ? asked.paid : asked.paid.filter(({ adapter }) => adapter !== SCRIPTED);
  const scripted = repliesIn(asked.paid) - repliesIn(counted);
  const groups = by === undefined ? usualGroups(asked.run, counted) : [by];
  const total = sumOf(counted);
  const tables = groups.map((group) => ({ group, rows: rowsBy(counted, group) }));
  const { run, since } = asked;
  if (options.flag('json')) {
    const rows = Object.fromEntries(tables.map((table) => [table.group, table.rows]));
    const about = defined({ run, since });
    terminal.out(`${JSON.stringify({ ...about, total, by: rows, scripted }, null, 2)}\n`);
    return EXIT.done;
  }
  terminal.out(renderTotal(run ?? (since === undefined ? 'all runs' : `since ${since}`), total, terminal.colors));
  for (const { group, rows } of tables) if (rows.length > 0) terminal.out(`\n${renderRows(group, rows, terminal)}`);
  if (scripted > 0) {
    const left = scripted === 1 ? '1 reply of a script is left out' : `${scripted} replies of scripts are left out`;
    terminal.err(renderEmpty(`${left}: they cost nothing`, 'count them with', lineWith(args[0], options, '--scripted')));
  } else if (counted.length === 0)
    terminal.err(renderEmpty('no agent has replied', 'see what ran with', run === undefined ? 'list' : `status ${shellWord(run)}`));
  return EXIT.done;
}

/** The line that was typed, with one more option. */
function lineWith(run: string | undefined, options: Options, more: string): string {
  const given = (['since', 'by'] as const).flatMap((name) => {
    const value = options.text(name);
    return value === undefined ? [] : [`--${name}`, shellWord(value)];
  });
  return ['cost', ...(run === undefined ? [] : [shellWord(run)]), ...given, more].join(' ');
}

interface Asked {
  paid: Paid[];
  run?: string;
  since?: string;
}

async function paidIn(records: Records, given: string | undefined, options: Options, groups: readonly CostGroup[]): Promise<Asked> {
  const text = options.text('since');
  const sinceMs = text === undefined ? undefined : momentOf(text, Date.now());
  const since = sinceMs === undefined ? {} : { since: new Date(sinceMs).toISOString() };
  if (given === undefined) return { paid: await readCosts(records, groups, sinceMs), ...since };
  const all = await records.runs.list();
  const run = await findRunOfFolder(records.ledger, all, given);
  const own = all.filter(({ workflowId }) => workflowId === run);
  const children = await childrenOf(records, run);
  return { paid: await readPaid(records.runs, [...own, ...children], sinceMs), run, ...since };
}

const OF_ALL: readonly CostGroup[] = ['pipeline', 'agent', 'model'];

/** How costs are grouped: for one run by its steps, and by run if it has children; for all runs by what they have in common. */
function usualGroups(run: string | undefined, paid: readonly Paid[]): readonly CostGroup[] {
  if (run === undefined) return OF_ALL;
  const several = paid.some((one) => one.run !== run);
  return [...(several ? (['run'] as const) : []), 'step', 'agent', 'model'];
}
