import type { Usage } from './usage';

/** US dollars per million tokens, to a millionth of a dollar. An absent price of the cache is that of `input`. */
export interface ModelPrice {
  input: number;
  output: number;
  cacheWrite?: number;
  cacheRead?: number;
}

/** Prices by model name, with the day they were looked up. */
export interface PriceTable {
  /** ISO 8601 date. */
  asOf?: string;
  models: Readonly<Record<string, ModelPrice>>;
}

/** Matches the version marks of services: `-20250929`, `-2025-09-29`, `@20250929`. */
const VERSION = /[-@](?:\d{8}|\d{4}-\d{2}-\d{2})$/;

/**
 * The price of a model: that of its exact name, or, if the name ends in a date, that of the name without it. No other name is tried: a
 * guessed price is worse than none.
 */
export function priceOf(model: string | undefined, { models }: PriceTable): ModelPrice | undefined {
  if (model === undefined) return undefined;
  const name = [model, model.replace(VERSION, '')].find((candidate) => Object.hasOwn(models, candidate));
  return name === undefined ? undefined : models[name];
}

/**
 * The cost in integer millionths of a dollar, or null if the model is not in the table: unknown, never zero. Each reply's cost is rounded
 * up, so a sum of replies exceeds the cost of their tokens together by at most a millionth for each reply.
 */
export function costOf(usage: Omit<Usage, 'costMicroUsd'>, model: string | undefined, prices: PriceTable): number | null {
  const price = priceOf(model, prices);
  if (!price) return null;
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  // Dollars per million tokens are millionths of a dollar per token.
  const cost =
    exact(inputTokens, price.input) +
    exact(outputTokens, price.output) +
    exact(cacheReadTokens, price.cacheRead ?? price.input) +
    exact(cacheWriteTokens, price.cacheWrite ?? price.input);
  return Number((cost + PARTS - 1n) / PARTS);
}

const PARTS = 1_000_000n;

/** Computes in whole parts of a millionth of a dollar: 0.1 three times is 0.3. */
function exact(tokens: number, price: number): bigint {
  return BigInt(Math.round(tokens)) * BigInt(Math.round(price * Number(PARTS)));
}
