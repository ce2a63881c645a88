import { isReported, TOKEN_KINDS, type TokenCounts, tokensOf } from '../../plan/budgets/usage';
import type { PaidEntry } from './account-log';

/** The sum of some replies, and of requests without one. Unknown cost is shown next to known cost, and never counts as nothing. */
export interface CostSum extends TokenCounts {
  replies: number;
  /** The cost of the replies whose cost is known. */
  costMicroUsd: number;
  /** Replies whose cost is unknown; among them, those that did not report complete and plausible usage. */
  unknownReplies: number;
  unreportedReplies: number;
  /** The models of the others, which have no price: `""` if the model is unknown too. */
  unknownModels: string[];
  /** Requests that were never answered and may have been paid for, and the most that they can have cost, as far as it was reserved. */
  unanswered: number;
  unansweredAtMostMicroUsd: number;
  unansweredAtMostTokens: number;
}

/** The keys by which costs are grouped. */
export const COST_GROUPS = ['pipeline', 'agent', 'model', 'step', 'run'] as const;
export type CostGroup = (typeof COST_GROUPS)[number];

export interface CostRow extends CostSum {
  /** The name of the group; for a model `""` if it is unknown. */
  name: string;
}

export function sumOf(entries: readonly PaidEntry[]): CostSum {
  const sum: CostSum = { ...NOTHING, unknownModels: [] };
  const models = new Set<string>();
  for (const { usage, model = '', unanswered } of entries) {
    if (unanswered) {
      sum.unanswered += 1;
      sum.unansweredAtMostMicroUsd += usage.atMostMicroUsd ?? 0;
      sum.unansweredAtMostTokens += usage.atMostTokens ?? 0;
      continue;
    }
    sum.replies += 1;
    for (const kind of TOKEN_KINDS) sum[kind] += usage[kind];
    if (usage.costMicroUsd !== null) sum.costMicroUsd += usage.costMicroUsd;
    else {
      sum.unknownReplies += 1;
      if (isReported(usage)) models.add(model);
      else sum.unreportedReplies += 1;
    }
  }
  return { ...sum, unknownModels: [...models].sort() };
}

/** The most expensive first; of equal cost, the one with more tokens. */
export function rowsBy(entries: readonly PaidEntry[], group: CostGroup): CostRow[] {
  const groups = new Map<string, PaidEntry[]>();
  for (const entry of entries) {
    const name = entry[group] ?? '';
    const known = groups.get(name);
    if (known) known.push(entry);
    else groups.set(name, [entry]);
  }
  const rows = [...groups].map(([name, of]): CostRow => ({ name, ...sumOf(of) }));
  return rows.sort((a, b) => b.costMicroUsd - a.costMicroUsd || tokensOf(b) - tokensOf(a) || a.name.localeCompare(b.name));
}

const NOTHING = {
  ...{ replies: 0, inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
  ...{ costMicroUsd: 0, unknownReplies: 0, unreportedReplies: 0 },
  ...{ unanswered: 0, unansweredAtMostMicroUsd: 0, unansweredAtMostTokens: 0 },
};
