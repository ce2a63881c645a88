import { valueAtPath } from '../../plan/expressions/evaluate';
import { findingsOf, isBySeverity } from '../../plan/steps/findings';
import type { MergedOutput, MergeSpec } from '../../plan/steps/merged-output';
import { field, isJsonObject, type Json, type JsonObject } from '../../plan/text/json';
import { textKey } from '../schemas/pattern-key';

/**
 * How the lists of a `parallel` become one (docs/patterns.md, CP-3).
 *
 * A branch's list is its output if that is a list, or the one list in it if it is an object with exactly one; for a review with its
 * findings by severity it is the list of them, each with its `severity`; any other output is a list of one. Items match if the value at
 * `key` is the same (`key` may be a path, `place.line`); an item that has no key, or is no object, is its own key. All items of a branch
 * with one key are its answer; repetitions count once.
 *
 * - `union`: every item of every branch, by key in the order of the branches and their items. What several branches say is included once.
 * - `intersection`: the keys that every branch with a result has.
 * - `weighted`: every key, the weightiest items first. An item's weight is the sum of the confidence of the branches that have its key: the
 * item's own `confidence`, else that of the branch's output, else 1, times the branch's weight. A branch without that item gives the   most
 * that it gives to the key. Items that are objects get their share of the weight of all branches with a result as `weight`, from 0   to 1.
 * Items below `minWeight` are left out.
 *
 * If the answers of two branches to one key differ, that is a conflict. For `intersection` and `weighted` the heaviest answer wins (for
 * `intersection` that of most branches), or the first of several. A different `confidence` alone is no conflict.
 */
export function mergeBranches(
  { how, key, weights = {}, minWeight = 0 }: MergeSpec,
  results: ReadonlyMap<string, Json>,
): Pick<MergedOutput, 'merged' | 'conflicts'> {
  const path = key.split('.');
  const weightOfBranch = (branch: string): number => (Object.hasOwn(weights, branch) ? (weights[branch] ?? 1) : 1);
  const whole = [...results.keys()].reduce((sum, branch) => sum + weightOfBranch(branch), 0);
  const all = new Map<string, Kept>();
  for (const [branch, output] of results) {
    const confidence = confidenceOf(output) ?? 1;
    for (const item of listOf(output)) {
      const itemKey = keyOf(item, path);
      const name = canonical(itemKey);
      const found = all.get(name) ?? { key: itemKey, answers: new Map<string, Answer>() };
      all.set(name, found);
      const answer = found.answers.get(branch) ?? new Map<string, Said>();
      found.answers.set(branch, answer);
      const weight = how === 'weighted' ? (confidenceOf(item) ?? confidence) * weightOfBranch(branch) : 1;
      const said = says(item);
      if (!answer.has(said)) answer.set(said, { value: item, weight });
    }
  }
  const kept = [...all.values()];
  const merged = kept
    .filter(({ answers }) => how !== 'intersection' || answers.size === results.size)
    .flatMap(({ answers }) => (how === 'union' ? everyItem : prevailingItems)([...answers.values()]))
    .filter(({ weight }) => how !== 'weighted' || weight / whole >= minWeight);
  if (how === 'weighted') merged.sort((a, b) => b.weight - a.weight);
  return {
    merged: merged.map(({ value, weight }) => (how === 'weighted' ? withWeight(value, weight / whole) : value)),
    conflicts: kept
      .filter(({ answers }) => new Set([...answers.values()].map(nameOf)).size > 1)
      .map(({ key: conflicting, answers }) => ({
        key: conflicting,
        values: [...answers].flatMap(([branch, answer]) => [...answer.values()].map(({ value }) => ({ branch, value }))),
      })),
  };
}

interface Kept {
  key: Json;
  /** Answers by branch. */
  answers: Map<string, Answer>;
}

/** A branch's items with one key, by content: equal items have the same text. */
type Answer = Map<string, Said>;

interface Said {
  value: Json;
  weight: number;
}

function listOf(output: Json): readonly Json[] {
  if (Array.isArray(output)) return output;
  if (isBySeverity(field(output, 'findings')) || isBySeverity(field(output, 'issues')))
    return findingsOf(output).map(({ severity, said }) => (isJsonObject(said) ? { severity, ...said } : { severity, description: said }));
  const lists = isJsonObject(output) ? Object.values(output).filter((value) => Array.isArray(value)) : [];
  const [only] = lists;
  return lists.length === 1 && only ? only : [output];
}

function keyOf(item: Json, path: string[]): Json {
  return valueAtPath(item, path) ?? item;
}

/** A number from 0 to 1; anything else is no confidence. */
function confidenceOf(value: Json): number | undefined {
  const given = isJsonObject(value) && Object.hasOwn(value, 'confidence') ? value['confidence'] : undefined;
  return typeof given === 'number' && given >= 0 && given <= 1 ? given : undefined;
}

function says(item: Json): string {
  if (!isJsonObject(item)) return canonical(item);
  const { confidence: _, ...rest } = item;
  return canonical(rest);
}

/** Equal for two branches with the same items for a key, in any order. */
function nameOf(answer: Answer): string {
  return textKey(JSON.stringify([...answer.keys()].sort()));
}

/** Items of several branches, in the form of the first. */
function everyItem(answers: readonly Answer[]): Said[] {
  const all: Answer = new Map();
  for (const answer of answers) for (const [said, one] of answer) if (!all.has(said)) all.set(said, one);
  return [...all.values()];
}

/** The items of the heaviest answer. Each branch counts once: with what it gives to the item, else with the most that it gives. */
function prevailingItems(answers: readonly Answer[]): Said[] {
  const named = answers.map((answer) => ({ answer, name: nameOf(answer), most: mostOf(answer) }));
  const weights = new Map<string, number>();
  for (const { name, most } of named) weights.set(name, (weights.get(name) ?? 0) + most);
  const heaviest = [...weights.values()].reduce((a, b) => Math.max(a, b), 0);
  const chosen = named.find(({ name }) => weights.get(name) === heaviest)?.answer ?? [];
  return [...chosen].map(([said, { value }]) => ({
    value,
    weight: named.reduce((sum, { answer, most }) => sum + (answer.get(said)?.weight ?? most), 0),
  }));
}

function mostOf(answer: Answer): number {
  return [...answer.values()].reduce((most, { weight }) => Math.max(most, weight), 0);
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
