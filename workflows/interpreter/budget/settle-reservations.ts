import { withinMs } from '../cancellation/cancel-all';
import type { Interpreter } from '../interpreter';
import { CANCEL_WAIT_MS } from '../steps/activity-timeouts';
import { accountsAbove, charge } from './accounts';
import { release } from './reservation';

/**
 * Called before a run reports its usage: cancelled agents that have not stopped, such as that of an unneeded branch, still use their
 * reservations. They are awaited for a while; one that does not stop counts as having used all of it.
 */
export async function settleReservations(it: Interpreter): Promise<void> {
  const { run } = it;
  if (run.holdings.size === 0) return;
  const paths = [...run.holdings.values()].map(({ path }) => path);
  await withinMs(run, CANCEL_WAIT_MS, Promise.all(paths.map((path) => run.ctx.cancelActivities(path, 'itself'))));
  for (const [key, { path, hold }] of [...run.holdings]) {
    const { tokens = 0, costMicroUsd = 0 } = hold.granted;
    charge(accountsAbove(run, path), hold, { tokens, costMicroUsd }, false);
    release(it, { key, hold });
  }
}
