import type { Paid } from '../accounts/sum';
import type { EndedQuery } from '../ended-index';
import { compareEnds, type EndedCost, type ListedEnd } from './listed-end';

/** Those that are asked for, in the order that is asked for. Pure, for stores that read whole files. */
export function chooseEnds(ends: readonly ListedEnd[], { by, limit, ...query }: EndedQuery): ListedEnd[] {
  const order = by === 'endedAt' ? compareEnds : (a: ListedEnd, b: ListedEnd) => b.startedAt.localeCompare(a.startedAt);
  return ends
    .filter((end) => fits(end, query))
    .sort(order)
    .slice(0, limit);
}

function fits(end: ListedEnd, { pipeline, state, tops, contains, after }: Omit<EndedQuery, 'by' | 'limit'>): boolean {
  if (pipeline !== undefined && end.pipeline !== pipeline) return false;
  if (state !== undefined && end.state !== state) return false;
  if (tops && end.parent !== undefined) return false;
  if (contains !== undefined && !end.run.includes(contains)) return false;
  return after === undefined || compareEnds(end, after) > 0;
}

/** What a run cost since, by its sums; undefined if these do not tell. @param extent of its accounts by now */
export function knownCost(cost: EndedCost | undefined, extent: number, sinceMs: number): Paid[] | undefined {
  if (!cost || cost.extent !== extent) return undefined;
  if (cost.first === undefined || cost.last === undefined || Date.parse(cost.last) < sinceMs) return [];
  // A sum is that of a whole day.
  return Date.parse(cost.first) >= sinceMs ? cost.paid : undefined;
}
