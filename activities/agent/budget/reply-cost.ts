import { type ModelPrice, type PriceTable, priceOf } from '../../../plan/budgets/price';

/** The most that one reply can cost, in integer millionths of a dollar: input at the dearest price, all of the output. Pure. */
export interface ReplyPrice {
  /** US dollars per million tokens. */
  input: number;
  output: number;
}

/**
 * @param models the requested one, and those that have answered in its place
 * @returns undefined if the table knows none of them
 */
export function dearestPrice(models: Iterable<string | undefined>, prices: PriceTable): ReplyPrice | undefined {
  const known = [...new Set(models)].flatMap((model) => priceOf(model, prices) ?? []);
  if (known.length === 0) return undefined;
  return { input: Math.max(...known.map(dearestInput)), output: Math.max(...known.map(({ output }) => output)) };
}

/** Which part of a request is new to the service's cache is not known beforehand. */
function dearestInput({ input, cacheWrite = input, cacheRead = input }: ModelPrice): number {
  return Math.max(input, cacheWrite, cacheRead);
}

export function maxCostOf({ input, output }: ReplyPrice, inputTokens: number, outputTokens: number): number {
  const cost = BigInt(inputTokens) * parts(input) + BigInt(outputTokens) * parts(output);
  return Number((cost + PARTS - 1n) / PARTS);
}

/** The longest reply that what is left can pay; below zero if the input alone exceeds it. */
export function longestReply({ input, output }: ReplyPrice, inputTokens: number, leftMicroUsd: number): number {
  const left = BigInt(leftMicroUsd) * PARTS - BigInt(inputTokens) * parts(input);
  if (left < 0n) return -1;
  return output === 0 ? Number.POSITIVE_INFINITY : Number(left / parts(output));
}

const PARTS = 1_000_000n;

/** A price in whole parts of a millionth of a dollar a token, as `costOf` reckons. */
function parts(price: number): bigint {
  return BigInt(Math.round(price * Number(PARTS)));
}
