import { isReported, TOKEN_KINDS, type TokenCounts, tokensOf } from '../../plan/budgets/usage';
import { isJsonObject } from '../../plan/text/json';
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
export const COST_GROUPS = ['pipeline', 'agent', 'model', 'step', 'run', 'day'] as const;
export type CostGroup = (typeof COST_GROUPS)[number];

export interface CostRow extends CostSum {
  /** The name of the group; for a model `""` if it is unknown. */
  name: string;
}

/** A reply, or what several together cost. */
export type Paid = PaidEntry | PaidSum;

export function sumOf(paid: readonly Paid[]): CostSum {
  const sum: CostSum = { ...NOTHING, unknownModels: [] };
  const models = new Set<string>();
  for (const one of paid) {
    if (one.kind === 'sum') {
      for (const key of COST_SUM_NUMBERS) sum[key] += one.sum[key];
      for (const model of one.sum.unknownModels) models.add(model);
      continue;
    }
    const { usage, model = '', unanswered } = one;
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

/** Replies, and requests without one. */
export function repliesIn(paid: readonly Paid[]): number {
  return paid.reduce((sum, one) => sum + (one.kind === 'sum' ? one.sum.replies + one.sum.unanswered : 1), 0);
}

/** The most expensive first; of equal cost, the one with more tokens. Days have the newest first. */
export function rowsBy(paid: readonly Paid[], group: CostGroup): CostRow[] {
  const groups = new Map<string, Paid[]>();
  for (const one of paid) {
    const name = nameIn(one, group);
    const known = groups.get(name);
    if (known) known.push(one);
    else groups.set(name, [one]);
  }
  const rows = [...groups].map(([name, of]): CostRow => ({ name, ...sumOf(of) }));
  if (group === 'day') return rows.sort((a, b) => b.name.localeCompare(a.name));
  return rows.sort((a, b) => b.costMicroUsd - a.costMicroUsd || tokensOf(b) - tokensOf(a) || a.name.localeCompare(b.name));
}

function nameIn(paid: Paid, group: CostGroup): string {
  if (group !== 'day') return paid[group] ?? '';
  return paid.kind === 'sum' ? paid.day : dayOf(paid.at);
}

const NOTHING = {
  ...{ replies: 0, inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
  ...{ costMicroUsd: 0, unknownReplies: 0, unreportedReplies: 0 },
  ...{ unanswered: 0, unansweredAtMostMicroUsd: 0, unansweredAtMostTokens: 0 },
};
export const COST_SUM_NUMBERS = Object.keys(NOTHING) as (keyof typeof NOTHING)[];

/** Replies of one run that have all this in common. Its record keeps these in place of the replies. */
export interface PaidSum extends Pick<PaidEntry, 'run' | 'pipeline' | 'step' | 'agent' | 'adapter' | 'model'> {
  kind: 'sum';
  /** In UTC: `2026-11-29`. */
  day: string;
  sum: CostSum;
}

export function paidSums(entries: readonly PaidEntry[]): PaidSum[] {
  const groups = new Map<string, { of: Omit<PaidSum, 'sum'>; entries: PaidEntry[] }>();
  for (const entry of entries) {
    const { at, run, pipeline, step, agent, adapter, model } = entry;
    const of = { kind: 'sum' as const, day: dayOf(at), run, pipeline, step, agent, adapter, ...(model === undefined ? {} : { model }) };
    const key = JSON.stringify(of);
    const known = groups.get(key);
    if (known) known.entries.push(entry);
    else groups.set(key, { of, entries: [entry] });
  }
  return [...groups.values()].map(({ of, entries }) => ({ ...of, sum: sumOf(entries) }));
}

/** @param at ISO 8601, in UTC */
function dayOf(at: string): string {
  return at.slice(0, 10);
}

/** Undefined if it is invalid. */
export function readPaidSum(value: unknown): PaidSum | undefined {
  if (!isJsonObject(value)) return undefined;
  const { kind, day, run, pipeline, step, agent, adapter, model, sum } = value;
  if (kind !== 'sum' || typeof day !== 'string' || typeof run !== 'string' || typeof pipeline !== 'string') return undefined;
  if (typeof step !== 'string' || typeof agent !== 'string' || typeof adapter !== 'string' || !isCostSum(sum)) return undefined;
  return { kind, day, run, pipeline, step, agent, adapter, sum, ...(typeof model === 'string' ? { model } : {}) };
}

function isCostSum(value: unknown): value is CostSum {
  if (!isJsonObject(value)) return false;
  const models = value['unknownModels'];
  const areModels = Array.isArray(models) && models.every((model) => typeof model === 'string');
  return areModels && COST_SUM_NUMBERS.every((key) => Number.isSafeInteger(value[key]) && Number(value[key]) >= 0);
}
