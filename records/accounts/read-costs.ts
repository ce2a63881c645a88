import type { Records } from '../records';
import { readPaid } from './read-paid';
import type { CostGroup, Paid } from './sum';

/**
 * What all runs cost: of those that have ended by their sums in the store, as far as these count; of the others by their accounts.
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
  return [...paid, ...(await readPaid(runs, left, sinceMs))];
}
