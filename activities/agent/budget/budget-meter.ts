import { AMOUNTS, type AmountKind, type Amounts, type BudgetLimits, type BudgetShort } from '../../../plan/budgets/budget';
import { costOf, type PriceTable, priceOf } from '../../../plan/budgets/price';
import { plausibleCount } from '../../../plan/budgets/reported-usage';
import {
  addUsage,
  chargedMicroUsd,
  chargedTokens,
  isReported,
  settledUsages,
  tokensOf,
  UNREPORTED_USAGE,
  type Usage,
} from '../../../plan/budgets/usage';
import { defined } from '../../../plan/defined';
import { callsMade, type Turn } from '../../../records/transcripts/turn';
import type { AgentAdapter, ReplyBound } from '../../agent-port';
import type { PauseRequests } from '../agent-paused';
import { dearestPrice, longestReply, maxCostOf } from './reply-cost';

/**
 * Counts what a try uses against what it may use. All its transcripts count, so a call that continues from an earlier one includes that.
 * Unknown cost makes the reported sum unknown; the reservation counts as spent.
 *
 * Invariants: 1. no request begins if nothing is left; 2. nothing known beforehand is used if it is not left;
 * 3. under a ceiling in dollars with `hold`, nothing of unknown cost is paid for; 4. a reply that can be limited is never requested if its
 * input and its least useful length could exceed what is left, in tokens or in dollars.
 */
export interface BudgetMeter {
  /** Usage of the whole try. */
  usage(): Usage | undefined;
  toolCalls(): number;
  /** Tokens left; undefined if there is no ceiling. */
  tokensLeft(): number | undefined;
  /**
   * The turn with its cost, if a table knows the model and the agent did not report it; unknown if the service does not report plausible
   * usage: then the whole reservation counts, in tokens that of its `texts` if there was none.
   */
  priced(turn: Turn, model: string | undefined, { reserved, texts }: UncountedReply): Turn;
  /** Holds if nothing is left, if the cost is unknown and the adapter does not ask itself, or if it cannot limit its replies. */
  beforeRequest(model: string | undefined, adapter: AgentAdapter): void;
  /**
   * The room for the next reply. Holds if even the least is not left.
   *
   * @param models the first one is the requested one
   */
  room(reply: ReplyBound, models: readonly (string | undefined)[]): Promise<ReplyAllowance>;
  /** Holds if an adapter that cannot limit a reply may not run. */
  requireLimited(adapter: string): void;
  /** Holds if that much is not left. */
  afford(usage: Usage, model: string | undefined): void;
  /** True if no tool may be called any more, or nothing is left to send the agent the result. */
  beforeCall(): void;
  /** Holds if more tools have been called than allowed: for agents that do not ask before. */
  requireCalled(): void;
}

/** The usage that counts when a reply does not report its own. */
export interface UncountedReply {
  reserved?: Amounts | undefined;
  /** How many tokens it has read and written at most, by its recorded texts. */
  texts?: (turn: Turn) => number;
}

export interface ReplyAllowance {
  tokens: number;
  /** The upper bound of the request, input included, in each amount that has a ceiling. */
  atMost: Amounts;
}

export interface MeteringOptions {
  limits: BudgetLimits;
  prices: PriceTable;
  pauses: PauseRequests;
  /** All turns of the try, of its talks too. */
  turns(): Iterable<Turn>;
  /** Reservations for replies that never came. */
  lost(): Required<Amounts>;
}

export function openBudgetMeter({ limits, prices, pauses, turns, lost }: MeteringOptions): BudgetMeter {
  const short = (what: BudgetShort) => pauses.request({ kind: 'budget', short: what });
  /** The price of the model that answered, which a service may call by a name of its own, else of the requested one. */
  const cost = (usage: Usage, asked: string | undefined, answered?: string) =>
    usage.costMicroUsd ?? costOf(usage, answered, prices) ?? costOf(usage, asked, prices);
  const priced: BudgetMeter['priced'] = (turn, model, { reserved, texts }) => {
    const isCounted = reserved !== undefined || (texts !== undefined && limits.tokens !== undefined);
    const isPaid = turn.role === 'assistant' && (isCounted || turn.model !== undefined);
    const usage = turn.usage ? plausibleCount(turn.usage) : isPaid ? UNREPORTED_USAGE : undefined;
    if (!usage) return turn;
    const isWhole = isReported(usage);
    const costMicroUsd = isWhole ? cost(usage, model, turn.model) : usage.costMicroUsd;
    const atMost: Amounts = {};
    if (costMicroUsd === null) Object.assign(atMost, defined({ costMicroUsd: reserved?.costMicroUsd }));
    if (!isWhole && limits.tokens !== undefined) atMost.tokens = reserved?.tokens ?? texts?.(turn) ?? 0;
    return { ...turn, usage: { ...usage, costMicroUsd, ...atMostOf(atMost) } };
  };
  const mayBeUnknown = limits.costMicroUsd === undefined || limits.onUnknownCost === 'allow';
  const unknown = (model: string | undefined) => short({ kind: 'unknownCost', model: model ?? '' });
  const spent = (): Required<Amounts> => {
    const sum = { ...lost() };
    for (const usage of usages()) {
      sum.tokens += chargedTokens(usage);
      sum.costMicroUsd += chargedMicroUsd(usage);
    }
    return sum;
  };
  /** Requires that `more` is left in addition to what is spent. */
  const need = (kind: AmountKind, more: number) => {
    const limit = limits[kind];
    const needed = spent()[kind] + more;
    if (limit !== undefined && needed > limit) throw short({ kind, needed });
  };
  const usages = () => settledUsages([...turns()].flatMap(({ usage }) => (usage ? [usage] : [])));
  const { toolCallsBefore = 0 } = limits;
  const toolCalls = () => [...turns()].filter(({ role, call }) => role === 'tool' && call !== undefined).length;
  const requireLimited = (adapter: string) => {
    const isLimited = AMOUNTS.some((kind) => limits[kind] !== undefined);
    if (isLimited && limits.onUnlimited !== 'allow') throw short({ kind: 'unlimited', adapter });
  };
  const left = (kind: AmountKind) => Math.max(0, (limits[kind] ?? 0) - spent()[kind]);
  const boundsOf = (models: readonly (string | undefined)[]): ReplyBounds[] => {
    const bounds: ReplyBounds[] = [];
    if (limits.tokens !== undefined)
      bounds.push({ kind: 'tokens', longest: (read) => left('tokens') - read, most: (read, written) => read + written });
    const price = limits.costMicroUsd === undefined ? undefined : dearestPrice(models, prices);
    if (!price && !mayBeUnknown) throw unknown(models[0]);
    if (price) {
      const longest = (read: number) => longestReply(price, read, left('costMicroUsd'));
      bounds.push({ kind: 'costMicroUsd', longest, most: (read, written) => maxCostOf(price, read, written) });
    }
    return bounds;
  };
  const somethingLeft = () => {
    need('tokens', 1);
    need('costMicroUsd', 1);
  };
  return {
    usage() {
      const unanswered = lost();
      const first = AMOUNTS.some((kind) => unanswered[kind] > 0) ? unreported(unanswered) : undefined;
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
      const bounds = boundsOf(models);
      const isEnough = (read: number) => bounds.every(({ longest }) => longest(read) >= least);
      const counted = isEnough(input) ? undefined : await countInput?.();
      const read = Math.min(input, counted ?? input);
      const lacking = bounds.find(({ longest }) => longest(read) < least);
      if (lacking) throw short({ kind: lacking.kind, needed: spent()[lacking.kind] + lacking.most(read, least) });
      const tokens = Math.min(wanted, ...bounds.map(({ longest }) => longest(read)));
      return { tokens, atMost: Object.fromEntries(bounds.map(({ kind, most }) => [kind, most(read, tokens)])) };
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
      const needed = toolCallsBefore + toolCalls() + 1;
      if (limits.toolCalls !== undefined && needed > limits.toolCalls) throw short({ kind: 'toolCalls', needed });
      somethingLeft();
    },
    requireCalled() {
      const needed = toolCallsBefore + callsMade([...turns()]);
      if (limits.toolCalls !== undefined && needed > limits.toolCalls) throw short({ kind: 'toolCalls', needed });
    },
  };
}

/** The limits that a ceiling sets for a reply, depending on its input tokens. */
interface ReplyBounds {
  kind: AmountKind;
  /** Below zero if the input exceeds what is left. */
  longest(read: number): number;
  /** Its upper bound. */
  most(read: number, written: number): number;
}

/** The usage if only its upper bound is known. */
export function unreported(atMost: Amounts): Usage {
  return { ...UNREPORTED_USAGE, ...atMostOf(atMost) };
}

function atMostOf({ tokens = 0, costMicroUsd = 0 }: Amounts): Pick<Usage, 'atMostTokens' | 'atMostMicroUsd'> {
  return defined({ atMostTokens: tokens > 0 ? tokens : undefined, atMostMicroUsd: costMicroUsd > 0 ? costMicroUsd : undefined });
}

/** Whether it may have cost any amount. */
function isUnbounded({ costMicroUsd, atMostMicroUsd }: Usage): boolean {
  return costMicroUsd === null && atMostMicroUsd === undefined;
}
