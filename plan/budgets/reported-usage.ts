import { TOKEN_KINDS, type TokenCounts, type Usage } from './usage';

/**
 * Usage as the adapter reports it, and whether that is plausible. Every adapter reads usage through here.
 *
 * Invariants: 1. counts are whole numbers from 0 to `MOST_TOKENS`; 2. where a needed count is missing, or any count is absurd, the usage is
 * `inPart` and no table prices it; 3. a reported cost is used as it is, unless it is absurd itself.
 */

/** Of one conversation. No model reads or writes as much. */
export const MOST_TOKENS = 1_000_000_000;
/** A million dollars. */
const MOST_MICRO_USD = 1_000_000_000_000;

/** Counts as they were reported. What is null or absent was not reported. */
export type ReportedCounts = Partial<Record<keyof TokenCounts, unknown>>;

/** Input and output are needed. What goes into a cache or comes from it not every service counts. */
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

/** The same, of one reply of a service. None reads nothing: one that says so does not count. */
export function reportedReply(reported: ReportedCounts): Usage {
  const usage = reportedUsage(reported);
  const read = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  return read === 0 ? { ...usage, inPart: true } : usage;
}

/** Usage that an adapter has put together itself. */
export function plausibleCount({ costMicroUsd, ...counts }: Usage): Usage {
  const cost = costMicroUsd === null ? undefined : costMicroUsd / MICRO;
  return { ...counts, ...reportedUsage(counts, cost), ...(counts.inPart ? { inPart: true as const } : {}) };
}

/** The same, of a reply that broke off: its usage is more than was reported. */
export function reportedSoFar(usage: Usage): Usage {
  return { ...usage, inPart: true };
}

/** Of counts that only grow, from two reports. An absurd one is not outgrown. */
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

/** Whole millionths of a dollar; null if nothing plausible is reported. */
function toldCost(usd: unknown): number | null {
  if (typeof usd !== 'number' || !(usd >= 0)) return null;
  const microUsd = Math.round(usd * MICRO);
  return microUsd <= MOST_MICRO_USD ? microUsd : null;
}

function isReported(count: unknown): boolean {
  return count !== undefined && count !== null;
}

/** What is left of a count that has others in it. More of them than there is of the whole is absurd. */
export function usageWithout(whole: unknown, ...parts: unknown[]): unknown {
  if (!isCount(whole)) return whole;
  return parts.filter(isCount).reduce<number>((rest, part) => rest - part, whole);
}
