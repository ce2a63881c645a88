import { defined } from '../defined';
import { TOKEN_KINDS, type TokenCounts, type Usage } from './usage';

/**
 * Usage as the adapter reports it, and whether that is plausible. Every adapter reads usage through here.
 *
 * Invariants: 1. counts are whole numbers from 0 to `MOST_TOKENS`; 2. if a needed count is missing, or any count is absurd, the usage is
 * `inPart` and no table prices it; 3. a reported cost is used as it is, unless it is absurd itself.
 */

/** The limit of one conversation. No model reads or writes as much. */
const MOST_TOKENS = 1_000_000_000;
/** A million dollars. */
const MOST_MICRO_USD = 1_000_000_000_000;

/** The reported counts. Null or absent counts were not reported. */
export type ReportedCounts = Partial<Record<keyof TokenCounts, unknown>>;

/** The required counts. Not every service counts what it writes to a cache or reads from one. */
const NEEDED: readonly (keyof TokenCounts)[] = ['inputTokens', 'outputTokens'];

/** @param costUsd its cost in dollars, if reported */
export function reportedUsage(reported: ReportedCounts, costUsd?: unknown): Usage {
  const usage: Usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroUsd: toldCost(costUsd) };
  for (const kind of TOKEN_KINDS) {
    const count = reported[kind];
    if (isCount(count)) usage[kind] = count;
    else if (isReported(count) || NEEDED.includes(kind)) usage.inPart = true;
  }
  return usage;
}

/** Usage of one reply of a service. Every reply reads something, so a report of zero does not count. */
export function reportedReply(reported: ReportedCounts): Usage {
  const usage = reportedUsage(reported);
  const read = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  return read === 0 ? { ...usage, inPart: true } : usage;
}

/** Usage that an adapter has put together itself. */
export function plausibleCount({ costMicroUsd, ...counts }: Usage): Usage {
  const cost = costMicroUsd === null ? undefined : costMicroUsd / MICRO;
  return { ...counts, ...reportedUsage(counts, cost), ...defined({ inPart: counts.inPart }) };
}

/** Usage of a reply that broke off, which is more than was reported. */
export function reportedSoFar(usage: Usage): Usage {
  return { ...usage, inPart: true };
}

/** The larger of two reports of counts that only grow. An absurd one is never outgrown. */
export function largestReport(now: ReportedCounts, before: ReportedCounts): ReportedCounts {
  const most: ReportedCounts = {};
  for (const kind of TOKEN_KINDS) {
    const [a, b] = [now[kind], before[kind]];
    if (isCount(a) && isCount(b)) most[kind] = Math.max(a, b);
    else most[kind] = isReported(b) && !isCount(b) ? b : isReported(a) ? a : b;
  }
  return most;
}

export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= MOST_TOKENS;
}

const MICRO = 1_000_000;

/** A reported cost in whole millionths of a dollar; null if nothing plausible is reported. */
function toldCost(usd: unknown): number | null {
  if (typeof usd !== 'number' || !(usd >= 0)) return null;
  const microUsd = Math.round(usd * MICRO);
  return microUsd <= MOST_MICRO_USD ? microUsd : null;
}

function isReported(count: unknown): boolean {
  return count !== undefined && count !== null;
}

/** The rest of a count that includes others. Parts larger than the whole are absurd. */
export function usageWithout(whole: unknown, ...parts: unknown[]): unknown {
  if (!isCount(whole)) return whole;
  return parts.filter(isCount).reduce<number>((rest, part) => rest - part, whole);
}
