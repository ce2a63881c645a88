import type { Records } from '../records';
import { isImported } from '../runs/imported-run';
import { readPaid } from './read-paid';
import type { CostGroup, Paid } from './sum';

/**
 * What all runs of this installation cost: of those that have ended by their sums in the store, as far as these count; of the others by
 * their accounts. Imported runs were paid for elsewhere.
 *
 * @param groups by which the sums are kept apart
 * @param sinceMs only what was paid for since
 */
export async function readCosts(
  { ended, runs }: Pick<Records, 'ended' | 'runs'>,
  groups: readonly CostGroup[],
  sinceMs = 0,
): Promise<Paid[]> {
  const { paid, left } = await ended.costs(groups, sinceMs);
  const own = left.filter(({ run }) => !isImported(run));
  return [...paid, ...(await readPaid(runs, own, sinceMs))];
}
