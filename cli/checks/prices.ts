import type { PriceTable } from '../../plan/budgets/price';
import type { Check } from './check';

const OLD_DAYS = 180;
const DAY_MS = 86_400_000;

/** Whether prices are set up, and when they were last looked up: services change their prices, and old ones are silently wrong. */
export function checkPrices({ models, asOf }: PriceTable, now: number): Check {
  const name = 'prices';
  const count = Object.keys(models).length;
  if (count === 0)
    return { name, state: 'ok', says: 'none: the cost of models is shown as unknown', hint: 'write `prices:` in thermidor.yaml' };
  const says = `${count} model${count === 1 ? '' : 's'}${asOf === undefined ? '' : `, as of ${asOf}`}`;
  const hint = 'look them up with the services and set `as_of` to that day';
  if (asOf === undefined) return { name, state: 'warning', says: `${says}; their age is unknown`, hint };
  const days = Math.floor((now - Date.parse(asOf)) / DAY_MS);
  if (days < -1) return { name, state: 'warning', says: `${says}, which is in the future`, hint };
  return days > OLD_DAYS ? { name, state: 'warning', says: `${says}, ${days} days ago`, hint } : { name, state: 'ok', says };
}
