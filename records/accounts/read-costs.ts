import type { Ledger, RunKey } from '../ledger';
import type { ListedRun, RunIndex } from '../run-index';
import { readEndedCost } from '../runs/ended-run';
import { ACCOUNT } from './account-log';
import { readPaid } from './read-paid';
import type { Paid } from './sum';

/** Runs that are read at once. */
const AT_ONCE = 16;

/**
 * What some runs cost: of a run that has ended from its record, as long as its accounts have not grown since, as they do while agents that
 * its end has cancelled still work, and once the run is reset; else from its accounts.
 *
 * @param sinceMs only what was paid for since
 */
export async function readCosts(
  index: Pick<RunIndex, 'logs' | 'extent'>,
  ledger: Pick<Ledger, 'lines'>,
  runs: readonly ListedRun[],
  sinceMs = 0,
): Promise<Paid[]> {
  const paid: Paid[] = [];
  for (let i = 0; i < runs.length; i += AT_ONCE) {
    const read = await Promise.all(
      runs.slice(i, i + AT_ONCE).map(async (run) => (await recorded(index, ledger, run, sinceMs)) ?? readPaid(index, [run], sinceMs)),
    );
    for (const costs of read) paid.push(...costs);
  }
  return paid;
}

async function recorded(
  index: Pick<RunIndex, 'extent'>,
  ledger: Pick<Ledger, 'lines'>,
  run: ListedRun,
  sinceMs: number,
): Promise<Paid[] | undefined> {
  const { workflowId } = run;
  if (workflowId === undefined) return undefined;
  const key: RunKey = { workflowId, run: run.run };
  const cost = await readEndedCost(ledger, key);
  if (!cost || cost.extent !== (await index.extent(run, [ACCOUNT]))) return undefined;
  if (cost.first === undefined || cost.last === undefined || Date.parse(cost.last) < sinceMs) return [];
  // A sum is that of a whole day.
  return Date.parse(cost.first) >= sinceMs ? cost.paid : undefined;
}
