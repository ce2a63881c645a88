import type { AmountKind, Amounts, BudgetLimits, BudgetShort } from '../../plan/budget';
import { costOf, type PriceTable, priceOf } from '../../plan/price';
import { addUsage, settledUsages, tokensOf, UNSAID, type Usage } from '../../plan/usage';
import { type AgentAdapter, callsMade, type Turn } from '../agent-port';
import type { Holds } from './hold';

/**
 * Counts what a try uses against what it may use. All that any of its transcripts holds counts, so a call that goes on from an
 * earlier one counts that too. Unknown cost is left out of what is spent, and makes the sum that is reported unknown.
 *
 * Invariants: 1. no request begins where nothing is left; 2. what is known beforehand is not used where it is not left;
 * 3. under a ceiling in dollars with `hold`, nothing is paid for whose cost nobody can tell.
 */
export interface Meter {
  /** Of the whole try. */
  usage(): Usage | undefined;
  toolCalls(): number;
  /** Tokens left; undefined where there is no ceiling. */
  tokensLeft(): number | undefined;
  /** With its cost, where a table knows the model and the agent did not say it; unknown where the service does not say what it used. */
  priced(turn: Turn, model: string | undefined): Turn;
  /** Holds where nothing is left, or where the cost is unknown and the adapter does not ask itself. */
  beforeRequest(model: string | undefined, adapter: AgentAdapter): void;
  /** Holds where so much is not left. */
  afford(usage: Usage, model: string | undefined): void;
  /** Holds where no tool may be called any more, or nothing is left to tell the agent the result. */
  beforeCall(): void;
  /** Holds where more tools have been called than may be: for agents that ask nobody before. */
  requireCalled(): void;
}

export interface Metering {
  limits: BudgetLimits;
  prices: PriceTable;
  holds: Holds;
  /** All turns of the try, of its talks too. */
  turns(): Iterable<Turn>;
}

export function openMeter({ limits, prices, holds, turns }: Metering): Meter {
  const short = (what: BudgetShort) => holds.hold({ kind: 'budget', short: what });
  /** By the model that answered, which a service may call by a name of its own, else by the one that was asked. */
  const cost = (usage: Usage, asked: string | undefined, answered?: string) =>
    usage.costMicroUsd ?? costOf(usage, answered, prices) ?? costOf(usage, asked, prices);
  const priced: Meter['priced'] = (turn, model) => {
    const usage = turn.usage ?? (isOfModel(turn) ? UNSAID : undefined);
    if (!usage) return turn;
    // No tokens are none that were told: no table knows what they cost.
    return { ...turn, usage: tokensOf(usage) === 0 ? usage : { ...usage, costMicroUsd: cost(usage, model, turn.model) } };
  };
  const mayBeUnknown = limits.costMicroUsd === undefined || limits.onUnknownCost === 'allow';
  const unknown = (model: string | undefined) => short({ kind: 'unknownCost', model: model ?? '' });
  const spent = (): Required<Amounts> => {
    const sum = { tokens: 0, costMicroUsd: 0 };
    for (const { usage } of turns()) {
      if (!usage) continue;
      sum.tokens += tokensOf(usage);
      sum.costMicroUsd += usage.costMicroUsd ?? 0;
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
  const somethingLeft = () => {
    need('tokens', 1);
    need('costMicroUsd', 1);
  };
  return {
    usage: () => usages().reduce<Usage | undefined>(addUsage, undefined),
    toolCalls,
    tokensLeft: () => (limits.tokens === undefined ? undefined : Math.max(0, limits.tokens - spent().tokens)),
    priced,
    beforeRequest(model, { affords }) {
      somethingLeft();
      if (!mayBeUnknown && usages().some(({ costMicroUsd }) => costMicroUsd === null)) throw unknown(model);
      if (!affords && !mayBeUnknown && !priceOf(model, prices)) throw unknown(model);
    },
    afford(usage, model) {
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

function isOfModel({ role, model }: Turn): boolean {
  return role === 'assistant' && model !== undefined;
}
