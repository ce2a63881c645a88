import { durationMs } from '../text/duration';
import { isJsonObject } from '../text/json';

/**
 * Budgets. Costs are integer millionths of a US dollar. An absent amount has no ceiling.
 *
 * An agent's try *reserves* from what is left before it starts, and gives back what it did not use: so parallel tries cannot together
 * overspend. Reaching a ceiling holds the run at a gate of kind `budget` until `extend_budget` raises it.
 */
export interface BudgetSpec {
  tokens?: number;
  costMicroUsd?: number;
  wallClockMs?: number;
  toolCallsPerStep?: number;
  retriesPerStep?: number;
  /** Whether an agent of unknown cost may run under a ceiling in dollars. @default 'hold' */
  onUnknownCost?: AllowOrHold;
  /** Whether an agent whose replies cannot be limited may run under a ceiling in tokens or dollars. @default 'hold' */
  onUnlimited?: AllowOrHold;
}

export const ALLOW_OR_HOLD = ['allow', 'hold'] as const;
export type AllowOrHold = (typeof ALLOW_OR_HOLD)[number];

/** The amounts that are counted and reserved. */
export const AMOUNTS = ['tokens', 'costMicroUsd'] as const;
export type AmountKind = (typeof AMOUNTS)[number];
export type Amounts = Partial<Record<AmountKind, number>>;

/** The keys of budgets for agents whose cost or replies cannot be bounded. */
export const BUDGET_WORDS = ['onUnknownCost', 'onUnlimited'] as const satisfies readonly (keyof BudgetSpec)[];
export type BudgetWord = (typeof BUDGET_WORDS)[number];

/** The ceilings to which each of these keys applies. */
export const WORD_IS_ABOUT: Readonly<Record<BudgetWord, readonly AmountKind[]>> = { onUnknownCost: ['costMicroUsd'], onUnlimited: AMOUNTS };

/** What a run lets its child use of its own budgets, with the words of these. If both have a word, the stricter one applies. */
export type Allowance = Amounts & Pick<BudgetSpec, BudgetWord>;

/** What one invocation of an agent may use in its whole try: earlier use in the try counts. */
export interface BudgetLimits extends Amounts {
  toolCalls?: number;
  /** Calls of tools that its work has made before this try: they count, too. */
  toolCallsBefore?: number;
  /** Milliseconds since the epoch: when the time of the budget is up. */
  untilMs?: number;
  onUnknownCost?: AllowOrHold;
  onUnlimited?: AllowOrHold;
}

/** Why an agent stopped. Recorded turns are kept, so with more it continues after them. */
export type BudgetShort =
  /** `needed`: the least that the whole try needs, if known. */
  | { kind: AmountKind; needed?: number }
  | { kind: 'toolCalls'; needed: number }
  | { kind: 'wallClock' }
  /** The price of the model is not in the table. */
  | { kind: 'unknownCost'; model: string }
  /** The adapter cannot limit the length of a reply. */
  | { kind: 'unlimited'; adapter: string };

/** A budget as people see it. If some of `costMicroUsd` is unknown, only the known part counts as spent. */
export interface BudgetView {
  tokens?: AmountView;
  costMicroUsd?: AmountView;
  wallClockMs?: { ceiling: number; spent: number; left: number };
  toolCallsPerStep?: number;
  retriesPerStep?: number;
  /** Something ran whose cost is unknown. */
  unknownCost?: true;
}
export interface AmountView {
  ceiling: number;
  spent: number;
  reserved: number;
  /** Never below zero. */
  left: number;
}

const ORDER_KEYS = ['tokens', 'usd', 'wall_clock', 'tool_calls_per_step', 'retries_per_step', 'on_unknown_cost', 'on_unlimited'] as const;
export const BUDGET_ORDER_KEYS: readonly string[] = ORDER_KEYS;
/** New ceilings as a signal has them. */
export type BudgetOrder = Partial<Record<(typeof ORDER_KEYS)[number], number | string>>;

/** Whether data that came from outside is an order for ceilings: of its keys alone. */
export function isBudgetOrder(value: unknown): value is BudgetOrder {
  if (!isJsonObject(value)) return false;
  const known = Object.entries(value).every(([key, given]) => BUDGET_ORDER_KEYS.includes(key) && given !== null);
  return known && !('problem' in readBudgetOrder(value));
}

const MICRO = 1_000_000;

/**
 * Parses the new absolute ceilings of `extend_budget`: `{tokens, usd, wall_clock, tool_calls_per_step, retries_per_step, on_unknown_cost,
 * on_unlimited}`, a duration as text or in milliseconds. Returns the problem in words if something is wrong.
 */
export function readBudgetOrder(payload: unknown): BudgetSpec | { problem: string } {
  const spec: BudgetSpec = {};
  if (!isJsonObject(payload)) return { problem: 'extend_budget takes an object such as {"tokens": 120000}' };
  const { tokens, usd, wall_clock, tool_calls_per_step, retries_per_step } = payload;
  const wholes = [
    ['tokens', tokens, 'tokens'],
    ['tool_calls_per_step', tool_calls_per_step, 'toolCallsPerStep'],
    ['retries_per_step', retries_per_step, 'retriesPerStep'],
  ] as const;
  for (const [key, value, name] of wholes) {
    if (value === undefined || value === null) continue;
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
      return { problem: `"${key}" must be a whole number, not below 0` };
    spec[name] = value;
  }
  if (usd !== undefined && usd !== null) {
    if (typeof usd !== 'number' || !(usd > 0) || !Number.isSafeInteger(Math.round(usd * MICRO)))
      return { problem: '"usd" must be a number over 0' };
    spec.costMicroUsd = Math.round(usd * MICRO);
  }
  if (wall_clock !== undefined && wall_clock !== null) {
    const ms = typeof wall_clock === 'string' ? durationMs(wall_clock) : wall_clock;
    if (typeof ms !== 'number' || !Number.isSafeInteger(ms) || ms <= 0) return { problem: '"wall_clock" must be a duration such as "30m"' };
    spec.wallClockMs = ms;
  }
  for (const [key, name] of [
    ['on_unknown_cost', 'onUnknownCost'],
    ['on_unlimited', 'onUnlimited'],
  ] as const) {
    const given = payload[key];
    if (given === undefined || given === null) continue;
    const word = ALLOW_OR_HOLD.find((known) => known === given);
    if (!word) return { problem: `"${key}" must be ${ALLOW_OR_HOLD.join(' or ')}` };
    spec[name] = word;
  }
  return spec;
}
