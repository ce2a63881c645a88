/** What a step cost. Integer counts; `costMicroUsd` in millionths of a US dollar. Unknown cost is null, never zero. */
export interface Usage {
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  costMicroUsd: number | null;
  /**
   * The cost includes that of so many usages before it, as far as theirs is not known: a program may report its cost only at its end.
   */
  settles?: number;
  /** The counts are not all that was used, or cannot be believed: no price table knows what they cost. */
  inPart?: true;
  /** Where the cost is unknown: what counts against a ceiling in dollars, the known part of it and the most that the rest can have come to. */
  atMostMicroUsd?: number;
  /** Where the counts are not all that was used: what counts against a ceiling in tokens. */
  atMostTokens?: number;
}

/** The counts of a usage. Nothing is in two of them. */
export const TOKEN_KINDS = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens'] as const;
export type TokenCounts = Pick<Usage, (typeof TOKEN_KINDS)[number]>;

/** For an adapter that reports no usage: it has cost something, and the amount is unknown. */
export const UNREPORTED_USAGE: Usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroUsd: null };

/** All that was read and written. */
export function tokensOf(counts: TokenCounts): number {
  return TOKEN_KINDS.reduce((sum, kind) => sum + counts[kind], 0);
}

/** Whether it has all that was used, so that a price can tell its cost. No tokens means none reported. */
export function isReported(usage: Usage): boolean {
  return tokensOf(usage) > 0 && !usage.inPart;
}

/** What counts against a ceiling in tokens. */
export function chargedTokens(usage: Usage): number {
  return Math.max(tokensOf(usage), usage.atMostTokens ?? 0);
}

/** What counts against a ceiling in dollars. */
export function chargedMicroUsd({ costMicroUsd, atMostMicroUsd = 0 }: Usage): number {
  return costMicroUsd ?? atMostMicroUsd;
}

/**
 * Usages of one conversation, oldest first, each with the cost that was reported later, if any. The sum is right; how it is divided is
 * not.
 */
export function settledUsages(usages: readonly Usage[]): Usage[] {
  const known = [...usages];
  for (const [at, { settles = 0, inPart }] of usages.entries()) {
    for (let before = Math.max(0, at - settles); before < at; before++) {
      const usage = known[before];
      if (!usage) continue;
      const { atMostTokens, ...counts } = usage;
      const own = inPart ? usage : counts;
      known[before] = usage.costMicroUsd === null ? { ...own, costMicroUsd: 0 } : own;
    }
  }
  return known;
}

/** Sum of two usages; unknown cost makes the sum unknown, and what is known of it still counts. */
export function addUsage(a: Usage | undefined, b: Usage | undefined): Usage | undefined {
  if (!a || !b) return a ?? b;
  const isKnown = a.costMicroUsd !== null && b.costMicroUsd !== null;
  const charged = chargedMicroUsd(a) + chargedMicroUsd(b);
  const tokens = chargedTokens(a) + chargedTokens(b);
  const counts = {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
  };
  return {
    ...counts,
    costMicroUsd: isKnown ? charged : null,
    ...(isKnown || charged === 0 ? {} : { atMostMicroUsd: charged }),
    ...(tokens > tokensOf(counts) ? { atMostTokens: tokens } : {}),
  };
}

/** Whether data that came by a failure's details, or out of the ledger, is a usage. */
export function isUsage(value: unknown): value is Usage {
  if (typeof value !== 'object' || value === null) return false;
  const fields = value as Partial<Record<keyof Usage, unknown>>;
  const isPriced = fields.costMicroUsd === null || isAmount(fields.costMicroUsd);
  const isCharged = [fields.atMostMicroUsd, fields.atMostTokens].every((most) => most === undefined || isAmount(most));
  return isPriced && isCharged && TOKEN_KINDS.every((kind) => isAmount(fields[kind]));
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
