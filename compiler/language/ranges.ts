/**
 * Limits of whole numbers, both ends included, for the readers, the JSON Schema and the reference. Those of one kind alone are in its rows.
 */
export const RANGES = {
  repair: { min: 0, max: 5 },
  /** Tries of one step, the first included. */
  tries: { min: 1, max: 100 },
  /** Rounds of a revise loop, and of any `retry(step, max=n)`. */
  rounds: { min: 1, max: 100 },
  depth: { min: 1, max: 5 },
  children: { min: 1, max: 20 },
  concurrent: { min: 1, max: 64 },
  priority: { min: 1, max: 5 },
  quorum: { min: 1, max: 100 },
  voteRounds: { min: 1, max: 10 },
  maxItems: { min: 1, max: 10_000 },
  maxWaiting: { min: 1, max: 1000 },
  /** How much of a memory an agent is given. */
  memoryBytes: { min: 256, max: 65_536 },
  fixes: { min: 0, max: 100 },
  tokens: { min: 1, max: 1_000_000_000_000 },
  toolCalls: { min: 1, max: 1_000_000 },
  turns: { min: 1, max: 10_000 },
  replyTokens: { min: 1, max: 10_000_000 },
  retriesPerStep: { min: 0, max: 100 },
} as const satisfies Record<string, { min: number; max: number }>;

/** The longest duration that can be written: ten years. */
export const LONGEST_MS = 3650 * 86_400_000;
/** The largest budget in dollars. */
export const MOST_USD = 1_000_000;
