import { defined } from '../defined';
import { isJsonObject } from '../text/json';

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
  /** The counts are incomplete or implausible, so no price table gives their cost. */
  inPart?: true;
  /**
   * If the cost is unknown: the amount that counts against a ceiling in dollars, which is the known part plus the most that the rest can
   * have cost.
   */
  atMostMicroUsd?: number;
  /** If the counts are incomplete: the amount that counts against a ceiling in tokens. */
  atMostTokens?: number;
}

/** The counts of a usage. Nothing is in two of them. */
export const TOKEN_KINDS = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens'] as const;
export type TokenCounts = Pick<Usage, (typeof TOKEN_KINDS)[number]>;

/** For an adapter that reports no usage: it cost something, and the amount is unknown. */
export const UNREPORTED_USAGE: Usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroUsd: null };

/** All that was read and written. */
export function tokensOf(counts: TokenCounts): number {
  return TOKEN_KINDS.reduce((sum, kind) => sum + counts[kind], 0);
}

/** Whether a usage is complete, so that a price gives its cost. No tokens means none reported. */
export function isReported(usage: Usage): boolean {
  return tokensOf(usage) > 0 && !usage.inPart;
}

/** The amount that counts against a ceiling in tokens. */
export function chargedTokens(usage: Usage): number {
  return Math.max(tokensOf(usage), usage.atMostTokens ?? 0);
}

/** The amount that counts against a ceiling in dollars. */
export function chargedMicroUsd({ costMicroUsd, atMostMicroUsd = 0 }: Usage): number {
  return costMicroUsd ?? atMostMicroUsd;
}

/** Usages of one conversation, oldest first, each with its cost if that was reported later. The sum is right; its division is not. */
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

/** The sum of two usages; an unknown cost makes the sum unknown, but its known part still counts. */
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
    ...defined({
      atMostMicroUsd: isKnown || charged === 0 ? undefined : charged,
      atMostTokens: tokens > tokensOf(counts) ? tokens : undefined,
    }),
  };
}

/** Whether data from a failure's details, or from the ledger, is a usage. */
export function isUsage(value: unknown): value is Usage {
  if (!isJsonObject(value)) return false;
  const { costMicroUsd, atMostMicroUsd, atMostTokens } = value;
  const isCharged = [atMostMicroUsd, atMostTokens].every((most) => most === undefined || isAmount(most));
  return (costMicroUsd === null || isAmount(costMicroUsd)) && isCharged && TOKEN_KINDS.every((kind) => isAmount(value[kind]));
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
