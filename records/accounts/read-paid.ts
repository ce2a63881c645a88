import { settledUsages } from '../../plan/budgets/usage';
import type { RunKey } from '../ledger';
import type { ListedRun, RunIndex } from '../run-index';
import { ACCOUNT, type PaidEntry, readAccountEntry } from './account-log';

/** Runs that are read at once. */
const AT_ONCE = 16;

/**
 * The paid replies of some runs, from the ledger alone, without a server or worker. Invariant: each line is read once.
 *
 * @param sinceMs only entries that are not older; logs without newer lines are not opened
 */
export async function readPaid(index: Pick<RunIndex, 'logs'>, runs: readonly (ListedRun | RunKey)[], sinceMs = 0): Promise<PaidEntry[]> {
  const paid: PaidEntry[] = [];
  for (let i = 0; i < runs.length; i += AT_ONCE) {
    const read = await Promise.all(runs.slice(i, i + AT_ONCE).map((run) => paidIn(index, run, sinceMs)));
    for (const entries of read) paid.push(...entries);
  }
  return paid.sort((a, b) => a.at.localeCompare(b.at));
}

async function paidIn(index: Pick<RunIndex, 'logs'>, run: ListedRun | RunKey, sinceMs: number): Promise<PaidEntry[]> {
  const paid: PaidEntry[] = [];
  for await (const lines of index.logs(run, [ACCOUNT], sinceMs)) {
    const entries = lines.map(readAccountEntry).filter((entry) => entry?.kind === 'paid');
    paid.push(...settledEntries(entries).filter(({ at }) => Date.parse(at) >= sinceMs));
  }
  return paid;
}

/** Entries of one call, oldest first. */
function settledEntries(entries: readonly PaidEntry[]): PaidEntry[] {
  const replies = entries.filter(({ unanswered }) => !unanswered);
  const usages = settledUsages(replies.map(({ usage }) => usage));
  const settled = new Map(replies.map((entry, at) => [entry, usages[at]]));
  return entries.map((entry) => ({ ...entry, usage: settled.get(entry) ?? entry.usage }));
}
