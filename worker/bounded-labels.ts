import { beginning } from '../plan/text/shortened';

/** How many series a metric has; further ones are counted under `other`, because others than us name agents, models and tools. */
const MOST_SERIES = 2000;
const OTHER = 'other';
const LONGEST = 120;
/** Labels whose values are all ours. */
const CLOSED: ReadonlySet<string> = new Set(['kind', 'outcome', 'end', 'state', 'activity']);

/**
 * The labels under which a metric counts something. Invariants: 1. there are at most `most` combinations, and the few of `other`; 2. what
 * has been counted under its own name stays so.
 */
export function boundedLabels<L extends string>(
  most = MOST_SERIES,
): (labels: Readonly<Partial<Record<L, string>>>) => Partial<Record<L, string>> {
  const seen = new Set<string>();
  return (labels) => {
    const given = Object.entries<string | undefined>(labels).map(([label, value = '']) => [label, beginning(value, LONGEST)] as const);
    const key = JSON.stringify(given);
    const isKnown = seen.has(key) || seen.size < most;
    if (isKnown) seen.add(key);
    const counted = given.map(([label, value]) => [label, isKnown || CLOSED.has(label) ? value : OTHER]);
    // `fromEntries` forgets which keys there are: those of `labels`.
    return Object.fromEntries(counted) as Partial<Record<L, string>>;
  };
}
