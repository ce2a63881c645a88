import type { Usage } from './usage';

/** US dollars per million tokens. What is absent of the cache costs as `input`. */
export interface ModelPrice {
  input: number;
  output: number;
  cacheWrite?: number;
  cacheRead?: number;
}

/** By model name, with the day they were looked up. */
export interface PriceTable {
  /** ISO 8601 date. */
  asOf?: string;
  models: Readonly<Record<string, ModelPrice>>;
}

/** Integer millionths of a dollar, or null where the model is not in the table: unknown, never zero. */
export function costOf(usage: Omit<Usage, 'costMicroUsd'>, model: string | undefined, { models }: PriceTable): number | null {
  const price = model !== undefined && Object.hasOwn(models, model) ? models[model] : undefined;
  if (!price) return null;
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  // Dollars per million tokens are millionths of a dollar per token.
  const cost =
    inputTokens * price.input +
    outputTokens * price.output +
    cacheReadTokens * (price.cacheRead ?? price.input) +
    cacheWriteTokens * (price.cacheWrite ?? price.input);
  return Math.ceil(cost);
}
