import type { ControlBlock, ControlStep } from './control';
import { stepsWithin } from './walk';

/** How the steps of a block depend on each other, by id. */
export interface BlockOrder {
  /** The steps whose completion each step waits for, in either order of the block. */
  readonly needs: ReadonlyMap<string, readonly string[]>;
  /** The needs of one step; empty if the block has no such step. */
  needsOf(id: string): readonly string[];
  /** The steps that wait for a step's completion, in the block's order. */
  dependents(id: string): readonly string[];
  /** The step's number in the block; -1 if the block has no such step. */
  position(id: string): number;
  /** Positions of the steps that have others within. */
  readonly holders: readonly number[];
  /** Positions of the steps that run only when an action calls them. */
  readonly onCall: readonly number[];
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
 * The steps that run again when `review` sends `target` back: those on any way from `target` to `review`, both ends included, in the
 * block's order. Empty if `target` is not upstream of `review`.
 *
 * Visits only steps between the two, so that a long block does not make it slow, and without recursion.
 */
export function reviseCone(block: ControlBlock, target: string, review: string): ControlStep[] {
  const { needsOf, position, rank } = orderOf(block);
  const first = rank(target);
  const upstream = new Set([review]);
  for (const id of upstream) for (const before of needsOf(id)) if (rank(before) >= first) upstream.add(before);
  if (!upstream.has(target)) return [];
  const cone = new Set([target]);
  for (const id of [...upstream].sort((one, other) => rank(one) - rank(other)))
    if (needsOf(id).some((before) => cone.has(before))) cone.add(id);
  return [...cone]
    .map(position)
    .sort((one, other) => one - other)
    .flatMap((at) => block.steps[at] ?? []);
}

/** The last step of the block, in its order, that is upstream of `of` and that `is` holds for. */
export function lastUpstream(block: ControlBlock, of: string, is: (step: ControlStep) => boolean): ControlStep | undefined {
  return upstreamOf(block, of).find(is);
}

/** All steps of the block that are upstream of `of`, the last first. */
export function upstreamOf(block: ControlBlock, of: string): ControlStep[] {
  const { needsOf, position } = orderOf(block);
  const upstream = new Set(needsOf(of));
  for (const id of upstream) for (const before of needsOf(id)) upstream.add(before);
  const positions = [...upstream].map(position).sort((one, other) => other - one);
  return positions.flatMap((at) => block.steps[at] ?? []);
}

/** All steps that wait for some steps, directly or through others that `passes`: for such a step, its own dependents count too. */
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

/**
 * The order of a block. What a run needs at its start is computed at once, everything else on demand: a block may have a hundred thousand
 * steps.
 */
function orderBlock(block: ControlBlock): BlockOrder {
  const { steps } = block;
  const positions = new Map<string, number>();
  for (const [at, { id }] of steps.entries()) positions.set(id, at);
  const position = (id: string): number => positions.get(id) ?? -1;
  const onCall = steps.flatMap((step, at) => (step.onCall ? [at] : []));
  const calls = onCall.length > 0 ? needsWithCalls(block) : undefined;
  const isGraph = block.order === 'graph' || calls !== undefined;
  const needsAt = (at: number): readonly string[] => calls?.[at] ?? (isGraph ? (steps[at]?.after ?? NONE) : previous(steps[at - 1]));
  const dependentsAt = isGraph ? dependentsBy(steps, position, needsAt) : (at: number) => nextInSequence(steps, at);
  const dependents = (id: string): string[] => dependentsAt(position(id)).flatMap((at) => steps[at]?.id ?? []);
  const needs = once(() => new Map(steps.map(({ id }, at) => [id, needsAt(at)] as const)));
  const holders = once(() => steps.flatMap((step, at) => (stepsWithin<ControlStep>(step).length > 0 ? [at] : [])));
  const ranked = once(() => (isGraph ? rankedIds(needs(), dependents) : steps.map(({ id }) => id)));
  const ranks = once(() => new Map(ranked().map((id, i) => [id, i])));
  return {
    get needs() {
      return needs();
    },
    needsOf: (id) => (positions.has(id) ? needsAt(position(id)) : NONE),
    dependents,
    position,
    onCall,
    get holders() {
      return holders();
    },
    get ranked() {
      return ranked();
    },
    rank: (id) => ranks().get(id) ?? -1,
  };
}

/**
 * Steps that run only when called are outside the order of the others, and settle once all of these have: as long as one of them runs, it
 * may call.
 */
function needsWithCalls({ order, steps }: ControlBlock): (readonly string[])[] {
  const ordinary = steps.filter(({ onCall }) => !onCall);
  const last = order === 'graph' ? ordinary.map(({ id }) => id) : previous(ordinary.at(-1));
  let before: readonly string[] = NONE;
  return steps.map((step) => {
    if (step.onCall) return last;
    const needs = order === 'graph' ? (step.after ?? NONE) : before;
    before = previous(step);
    return needs;
  });
}

/** The dependents of each step of a graph, as positions: two arrays for all of them, because a list for each step would be much slower. */
function dependentsBy(
  steps: readonly ControlStep[],
  position: (id: string) => number,
  needsAt: (at: number) => readonly string[],
): (at: number) => number[] {
  const begins = new Int32Array(steps.length + 1);
  const edges: number[] = [];
  for (const at of steps.keys()) {
    for (const id of needsAt(at)) {
      const before = position(id);
      if (before < 0) continue;
      edges.push(before, at);
      begins[before + 1] = (begins[before + 1] ?? 0) + 1;
    }
  }
  for (let at = 1; at < begins.length; at++) begins[at] = (begins[at] ?? 0) + (begins[at - 1] ?? 0);
  const next = begins.slice();
  const found = new Int32Array(edges.length / 2);
  for (let edge = 0; edge < edges.length; edge += 2) {
    const before = edges[edge] ?? 0;
    const free = next[before] ?? 0;
    found[free] = edges[edge + 1] ?? 0;
    next[before] = free + 1;
  }
  return (at) => (at < 0 ? [] : [...found.subarray(begins[at], begins[at + 1])]);
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

const NONE: readonly string[] = [];

/** After a loop over a stream its producer counts too: a loop that ends early does not end it. */
function previous(step: ControlStep | undefined): readonly string[] {
  if (!step) return NONE;
  return 'stream' in step && step.stream !== undefined ? [step.id, step.stream] : [step.id];
}

function nextInSequence(steps: readonly ControlStep[], at: number): number[] {
  const [own, next] = [steps[at], steps[at + 1]];
  if (!own || !next) return [];
  return 'stream' in next && next.stream === own.id && at + 2 < steps.length ? [at + 1, at + 2] : [at + 1];
}

/** The compiler refuses circles, so every step has its turn. */
function rankedIds(needs: BlockOrder['needs'], dependents: BlockOrder['dependents']): string[] {
  const missing = new Map([...needs].map(([id, before]) => [id, before.length]));
  const ranked = [...needs.keys()].filter((id) => missing.get(id) === 0);
  for (const id of ranked) {
    for (const next of dependents(id)) {
      const left = (missing.get(next) ?? 0) - 1;
      missing.set(next, left);
      if (left === 0) ranked.push(next);
    }
  }
  return ranked;
}
