import type { ControlBlock, ControlStep } from './control';
import { stepsWithin } from './walk';

/** How the steps of a block depend on each other, by id. */
export interface BlockOrder {
  /** Those whose completion each step waits for, in either order of the block. */
  readonly needs: ReadonlyMap<string, readonly string[]>;
  /** Those that wait for a step's completion, in the block's order. */
  dependents(id: string): readonly string[];
  /** The step's number in the block; -1 where the block has no such step. */
  position(id: string): number;
  /** Positions of the steps that have others within. */
  readonly holders: readonly number[];
  /** All ids, each after those that it waits for. */
  readonly ranked: readonly string[];
  /** The step's number among them. */
  rank(id: string): number;
}

const known = new WeakMap<ControlBlock, BlockOrder>();

/** Worked out once for each block, and for all runs of a plan that share it: a plan never changes. */
export function orderOf(block: ControlBlock): BlockOrder {
  let order = known.get(block);
  if (!order) {
    order = orderBlock(block);
    known.set(block, order);
  }
  return order;
}

/** Steps whose completion each step waits for, by id, in either order. */
export function dependencies(block: ControlBlock): ReadonlyMap<string, readonly string[]> {
  return orderOf(block).needs;
}

/**
 * The steps that run again when `review` sends `target` back: those on any way from `target` to `review`, both ends
 * included, in the block's order. Empty where `target` is not upstream of `review`.
 *
 * Goes over steps between the two alone, so that a long block does not make it dear, and without recursion.
 */
export function reviseCone(block: ControlBlock, target: string, review: string): ControlStep[] {
  const { needs, position, rank } = orderOf(block);
  const first = rank(target);
  const upstream = new Set([review]);
  for (const id of upstream) for (const before of needs.get(id) ?? []) if (rank(before) >= first) upstream.add(before);
  if (!upstream.has(target)) return [];
  const cone = new Set([target]);
  for (const id of [...upstream].sort((one, other) => rank(one) - rank(other)))
    if ((needs.get(id) ?? []).some((before) => cone.has(before))) cone.add(id);
  return [...cone]
    .map(position)
    .sort((one, other) => one - other)
    .flatMap((at) => block.steps[at] ?? []);
}

/** The last step of the block, in its order, that is upstream of `of` and that `is` holds for. */
export function lastUpstream(block: ControlBlock, of: string, is: (step: ControlStep) => boolean): ControlStep | undefined {
  const { needs, position } = orderOf(block);
  const upstream = new Set(needs.get(of));
  for (const id of upstream) for (const before of needs.get(id) ?? []) upstream.add(before);
  const positions = [...upstream].map(position).sort((one, other) => other - one);
  for (const at of positions) {
    const step = block.steps[at];
    if (step && is(step)) return step;
  }
  return undefined;
}

/** All that wait for some steps, directly or through others that `passes`: of such a step, its own dependents count too. */
export function stepsBehind(block: ControlBlock, some: Iterable<string>, passes: (id: string) => boolean = () => true): Set<string> {
  const { dependents } = orderOf(block);
  const found = new Set<string>();
  const add = (id: string): void => {
    for (const next of dependents(id)) if (!found.has(next) && passes(next)) found.add(next);
  };
  for (const id of some) add(id);
  for (const id of found) add(id);
  return found;
}

function orderBlock(block: ControlBlock): BlockOrder {
  const needs = new Map(
    block.steps.map((step, i) => [step.id, block.order === 'graph' ? (step.after ?? NONE) : previous(block.steps[i - 1])] as const),
  );
  const positions = new Map(block.steps.map(({ id }, i) => [id, i]));
  const dependents = new Map<string, string[]>();
  for (const { id } of block.steps) {
    for (const before of needs.get(id) ?? NONE) {
      const list = dependents.get(before);
      if (list) list.push(id);
      else dependents.set(before, [id]);
    }
  }
  let ranks: { ranked: readonly string[]; rank: ReadonlyMap<string, number> } | undefined;
  const rankAll = (): NonNullable<typeof ranks> => {
    if (ranks) return ranks;
    const ranked = block.order === 'graph' ? rankedIds(needs, dependents) : block.steps.map(({ id }) => id);
    ranks = { ranked, rank: new Map(ranked.map((id, i) => [id, i])) };
    return ranks;
  };
  return {
    needs,
    dependents: (id) => dependents.get(id) ?? NONE,
    position: (id) => positions.get(id) ?? -1,
    holders: block.steps.flatMap((step, i) => (stepsWithin<ControlStep>(step).length > 0 ? [i] : [])),
    get ranked() {
      return rankAll().ranked;
    },
    rank: (id) => rankAll().rank.get(id) ?? -1,
  };
}

const NONE: readonly string[] = [];

function previous(step: ControlStep | undefined): readonly string[] {
  return step ? [step.id] : NONE;
}

/** The compiler refuses circles, so every step has its turn. */
function rankedIds(needs: BlockOrder['needs'], dependents: ReadonlyMap<string, readonly string[]>): string[] {
  const missing = new Map([...needs].map(([id, before]) => [id, before.length]));
  const ranked = [...needs.keys()].filter((id) => missing.get(id) === 0);
  for (const id of ranked) {
    for (const next of dependents.get(id) ?? NONE) {
      const left = (missing.get(next) ?? 0) - 1;
      missing.set(next, left);
      if (left === 0) ranked.push(next);
    }
  }
  return ranked;
}
