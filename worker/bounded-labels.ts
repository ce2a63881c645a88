/** How many series a metric has; further ones are counted under `other`, because others than us name agents, models and tools. */
export const MOST_SERIES = 2000;
const OTHER = 'other';
const LONGEST = 120;
/** Labels whose values are all ours. */
const CLOSED: ReadonlySet<string> = new Set(['kind', 'outcome', 'end', 'state']);

/**
 * The labels under which a metric counts something. Invariants: 1. there are at most `MOST_SERIES` combinations, and the few of `other`;
 * 2. what has been counted under its own name stays so.
 */
export function boundedLabels<L extends string>(): (labels: Readonly<Record<L, string>>) => Record<L, string> {
  const seen = new Set<string>();
  return (labels) => {
    const given = Object.entries<string>(labels).map(([label, value]) => [label, value.slice(0, LONGEST)] as const);
    const key = JSON.stringify(given);
    const isKnown = seen.has(key) || seen.size < MOST_SERIES;
    if (isKnown) seen.add(key);
    const counted = given.map(([label, value]) => [label, isKnown || CLOSED.has(label) ? value : OTHER]);
    // `fromEntries` forgets which keys there are: those of `labels`.
    return Object.fromEntries(counted) as Record<L, string>;
  };
}
