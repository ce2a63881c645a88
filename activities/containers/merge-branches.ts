import type { MergedOutput, MergeSpec } from '../../kinds/parallel/model';
import { valueAtPath } from '../../plan/expressions/evaluate';
import { isJsonObject, type Json, type JsonObject } from '../../plan/text/json';
import { textKey } from '../schemas/pattern-key';

/**
 * How the lists of a `parallel` become one (patterns.md, CP-3).
 *
 * A branch's list is its output where that is a list, or the one list in it where it is an object with exactly one; any other
 * output is a list of one. Items are the same where the value at `key` is (`key` may be a path, `place.line`); an item that has
 * no key, or is no object, is its own key.
 *
 * - `union`: every key that a branch has, in the order in which branches and their items stand.
 * - `intersection`: the keys that every branch with a result has.
 * - `weighted`: as `union`, the weightiest first. An item weighs the sum of the confidence of the branches that have it: the
 *   item's own `confidence`, else that of the branch's output, else 1, times the branch's weight. Items that are objects get their
 *   share of the weight of all branches with a result as `weight`, from 0 to 1. Those of less than `minWeight` are left out.
 *
 * If branches give different values for one key, that is a conflict, and the heaviest value wins (for `union` and
 * `intersection`: that most branches gave), of several the first. A different `confidence` alone is none.
 */
export function mergeBranches(
  { how, key, weights = {}, minWeight = 0 }: MergeSpec,
  results: ReadonlyMap<string, Json>,
): Pick<MergedOutput, 'merged' | 'conflicts'> {
  const path = key.split('.');
  const weightOfBranch = (branch: string): number => (Object.hasOwn(weights, branch) ? (weights[branch] ?? 1) : 1);
  const whole = [...results.keys()].reduce((sum, branch) => sum + weightOfBranch(branch), 0);
  const kept = new Map<string, Kept>();
  for (const [branch, output] of results) {
    const confidence = confidenceOf(output) ?? 1;
    for (const item of listOf(output)) {
      const itemKey = keyOf(item, path);
      const name = canonical(itemKey);
      const found = kept.get(name) ?? { key: itemKey, opinions: new Map() };
      kept.set(name, found);
      const weight = how === 'weighted' ? (confidenceOf(item) ?? confidence) * weightOfBranch(branch) : 1;
      const said = says(item);
      const opinion = JSON.stringify([branch, said]);
      if (!found.opinions.has(opinion)) found.opinions.set(opinion, { branch, value: item, says: said, weight });
    }
  }
  const all = [...kept.values()].map(({ key, opinions }) => ({ key, opinions: [...opinions.values()] }));
  const chosen = all.filter(({ opinions }) => how !== 'intersection' || branchesOf(opinions).size === results.size);
  const merged = chosen
    .map(({ opinions }) => ({ value: prevailing(opinions), weight: weightOf(opinions) }))
    .filter(({ weight }) => how !== 'weighted' || weight / whole >= minWeight);
  if (how === 'weighted') merged.sort((a, b) => b.weight - a.weight);
  return {
    merged: merged.map(({ value, weight }) => (how === 'weighted' ? withWeight(value, weight / whole) : value)),
    conflicts: all
      .filter(({ opinions }) => new Set(opinions.map((opinion) => opinion.says)).size > 1)
      .map(({ key: conflicting, opinions }) => ({
        key: conflicting,
        values: opinions.map(({ branch, value }) => ({ branch, value })),
      })),
  };
}

interface Kept {
  key: Json;
  /** By branch and what it says. */
  opinions: Map<string, Opinion>;
}

/** What a branch says of a key. */
interface Opinion {
  branch: string;
  value: Json;
  /** The same text where two branches say the same. */
  says: string;
  weight: number;
}

function listOf(output: Json): readonly Json[] {
  if (Array.isArray(output)) return output;
  const lists = isJsonObject(output) ? Object.values(output).filter((value) => Array.isArray(value)) : [];
  const [only] = lists;
  return lists.length === 1 && only ? only : [output];
}

function keyOf(item: Json, path: string[]): Json {
  return valueAtPath(item, path) ?? item;
}

/** From 0 to 1; anything else is no confidence. */
function confidenceOf(value: Json): number | undefined {
  const given = isJsonObject(value) && Object.hasOwn(value, 'confidence') ? value['confidence'] : undefined;
  return typeof given === 'number' && given >= 0 && given <= 1 ? given : undefined;
}

function says(item: Json): string {
  if (!isJsonObject(item)) return canonical(item);
  const { confidence: _, ...rest } = item;
  return canonical(rest);
}

function branchesOf(opinions: readonly Opinion[]): Set<string> {
  return new Set(opinions.map(({ branch }) => branch));
}

/** Each branch counts once, with the most that it gives. */
function weightOf(opinions: readonly Opinion[]): number {
  const byBranch = new Map<string, number>();
  for (const { branch, weight } of opinions) byBranch.set(branch, Math.max(byBranch.get(branch) ?? 0, weight));
  return [...byBranch.values()].reduce((sum, weight) => sum + weight, 0);
}

function prevailing(opinions: readonly Opinion[]): Json {
  const weights = new Map<string, number>();
  for (const opinion of opinions) weights.set(opinion.says, (weights.get(opinion.says) ?? 0) + opinion.weight);
  const most = [...weights.values()].reduce((a, b) => Math.max(a, b), 0);
  return opinions.find((opinion) => weights.get(opinion.says) === most)?.value ?? null;
}

function withWeight(value: Json, share: number): Json {
  return isJsonObject(value) ? { ...value, weight: Math.round(share * 10_000) / 10_000 } : value;
}

/** A name that is the same for equal values, whatever the order of their keys. */
function canonical(value: Json): string {
  return textKey(JSON.stringify(value, (_, inner: Json) => (isJsonObject(inner) ? sorted(inner) : inner)));
}

function sorted(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
