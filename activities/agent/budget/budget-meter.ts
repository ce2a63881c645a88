import type { AmountKind, Amounts, BudgetLimits, BudgetShort } from '../../../plan/budgets/budget';
import { costOf, type PriceTable, priceOf } from '../../../plan/budgets/price';
import { plausibleCount } from '../../../plan/budgets/reported-usage';
import { addUsage, chargedMicroUsd, settledUsages, tokensOf, UNREPORTED_USAGE, type Usage } from '../../../plan/budgets/usage';
import { callsMade, type Turn } from '../../../records/transcripts/turn';
import type { AgentAdapter, ReplyBound } from '../../agent-port';
import type { PauseRequests } from '../agent-paused';
import { dearestPrice, longestReply, maxCostOf } from './reply-cost';

/**
 * Counts what a try uses against what it may use. All that any of its transcripts holds counts, so a call that continues from an
 * earlier one counts that too. Unknown cost makes the sum that is reported unknown; what it was reserved for counts as spent.
 *
 * Invariants: 1. no request begins where nothing is left; 2. what is known beforehand is not used where it is not left;
 * 3. under a ceiling in dollars with `hold`, nothing of unknown cost is paid for; 4. a reply that can be limited is never asked
 * for where it could cost more than what is left.
 */
export interface BudgetMeter {
  /** Of the whole try. */
  usage(): Usage | undefined;
  toolCalls(): number;
  /** Tokens left; undefined where there is no ceiling. */
  tokensLeft(): number | undefined;
  /**
   * With its cost, where a table knows the model and the agent did not say it; unknown where the service does not say, or not believably,
   * what it used: then all that was `reserved` for it counts.
   */
  priced(turn: Turn, model: string | undefined, reserved?: number): Turn;
  /** Holds where nothing is left, where the cost is unknown and the adapter does not ask itself, or where it cannot limit its replies. */
  beforeRequest(model: string | undefined, adapter: AgentAdapter): void;
  /**
   * What the next reply may be. Holds where even the least of it is not left.
   *
   * @param models the one that is asked for first
   */
  room(reply: ReplyBound, models: readonly (string | undefined)[]): Promise<ReplyAllowance>;
  /** Holds where an adapter that cannot limit a reply may not run. */
  requireLimited(adapter: string): void;
  /** Holds where so much is not left. */
  afford(usage: Usage, model: string | undefined): void;
  /** True if no tool may be called any more, or nothing is left to send the agent the result. */
  beforeCall(): void;
  /** Holds where more tools have been called than may be: for agents that ask nobody before. */
  requireCalled(): void;
}

export interface ReplyAllowance {
  tokens: number;
  /** What it costs at most, where there is a ceiling in dollars and a price. */
  costMicroUsd?: number;
}

export interface MeteringOptions {
  limits: BudgetLimits;
  prices: PriceTable;
  pauses: PauseRequests;
  /** All turns of the try, of its talks too. */
  turns(): Iterable<Turn>;
  /** What was reserved for replies that never came, in millionths of a dollar. */
  lost(): number;
}

export function openBudgetMeter({ limits, prices, pauses, turns, lost }: MeteringOptions): BudgetMeter {
  const short = (what: BudgetShort) => pauses.request({ kind: 'budget', short: what });
  /** By the model that answered, which a service may call by a name of its own, else by the one that was asked. */
  const cost = (usage: Usage, asked: string | undefined, answered?: string) =>
    usage.costMicroUsd ?? costOf(usage, answered, prices) ?? costOf(usage, asked, prices);
  const priced: BudgetMeter['priced'] = (turn, model, reserved) => {
    const usage = turn.usage ? plausibleCount(turn.usage) : isOfModel(turn) ? UNREPORTED_USAGE : undefined;
    if (!usage) return turn;
    // No tokens means none reported: no table knows what they cost.
    const costMicroUsd = tokensOf(usage) === 0 || usage.inPart ? usage.costMicroUsd : cost(usage, model, turn.model);
    const atMost = costMicroUsd === null && reserved !== undefined ? { atMostMicroUsd: reserved } : {};
    return { ...turn, usage: { ...usage, costMicroUsd, ...atMost } };
  };
  const mayBeUnknown = limits.costMicroUsd === undefined || limits.onUnknownCost === 'allow';
  const unknown = (model: string | undefined) => short({ kind: 'unknownCost', model: model ?? '' });
  const spent = (): Required<Amounts> => {
    const sum = { tokens: 0, costMicroUsd: lost() };
    for (const { usage } of turns()) {
      if (!usage) continue;
      sum.tokens += tokensOf(usage);
      sum.costMicroUsd += chargedMicroUsd(usage);
    }
    return sum;
  };
  /** `more` is to be used on top of what is spent. */
  const need = (kind: AmountKind, more: number) => {
    const limit = limits[kind];
    const needed = spent()[kind] + more;
    if (limit !== undefined && needed > limit) throw short({ kind, needed });
  };
  const usages = () => settledUsages([...turns()].flatMap(({ usage }) => (usage ? [usage] : [])));
  const toolCalls = () => [...turns()].filter(({ role, call }) => role === 'tool' && call !== undefined).length;
  const requireLimited = (adapter: string) => {
    if (limits.costMicroUsd !== undefined && limits.onUnlimited !== 'allow') throw short({ kind: 'unlimited', adapter });
  };
  const somethingLeft = () => {
    need('tokens', 1);
    need('costMicroUsd', 1);
  };
  return {
    usage() {
      const unanswered = lost();
      const first = unanswered > 0 ? { ...UNREPORTED_USAGE, atMostMicroUsd: unanswered } : undefined;
      return usages().reduce<Usage | undefined>(addUsage, first);
    },
    toolCalls,
    tokensLeft: () => (limits.tokens === undefined ? undefined : Math.max(0, limits.tokens - spent().tokens)),
    priced,
    beforeRequest(model, { name, affords, limitsReplies }) {
      somethingLeft();
      if (!mayBeUnknown && usages().some(isUnbounded)) throw unknown(model);
      if (!affords && !mayBeUnknown && !priceOf(model, prices)) throw unknown(model);
      if (!limitsReplies) requireLimited(name);
    },
    async room({ input, wanted, least, countInput }, models) {
      const limit = limits.costMicroUsd;
      if (limit === undefined) return { tokens: wanted };
      const price = dearestPrice(models, prices);
      if (!price && !mayBeUnknown) throw unknown(models[0]);
      if (!price) return { tokens: wanted };
      const left = Math.max(0, limit - spent().costMicroUsd);
      const isEnough = (read: number) => longestReply(price, read, left) >= least;
      const counted = isEnough(input) ? undefined : await countInput?.();
      const read = Math.min(input, counted ?? input);
      if (!isEnough(read)) throw short({ kind: 'costMicroUsd', needed: spent().costMicroUsd + maxCostOf(price, read, least) });
      const tokens = Math.min(wanted, longestReply(price, read, left));
      return { tokens, costMicroUsd: maxCostOf(price, read, tokens) };
    },
    requireLimited,
    afford(counted, model) {
      const usage = plausibleCount(counted);
      const known = cost(usage, model);
      if (known === null && !mayBeUnknown) throw unknown(model);
      need('tokens', tokensOf(usage));
      need('costMicroUsd', known ?? 0);
    },
    beforeCall() {
      const needed = toolCalls() + 1;
      if (limits.toolCalls !== undefined && needed > limits.toolCalls) throw short({ kind: 'toolCalls', needed });
      somethingLeft();
    },
    requireCalled() {
      const needed = callsMade([...turns()]);
      if (limits.toolCalls !== undefined && needed > limits.toolCalls) throw short({ kind: 'toolCalls', needed });
    },
  };
}

/** Whether it may have cost any amount. */
function isUnbounded({ costMicroUsd, atMostMicroUsd }: Usage): boolean {
  return costMicroUsd === null && atMostMicroUsd === undefined;
}

function isOfModel({ role, model }: Turn): boolean {
  return role === 'assistant' && model !== undefined;
}
