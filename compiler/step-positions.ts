import { traitsOf } from '../kinds/traits';
import { STEP_LIMIT } from '../plan/run/artifact';
import { type BlockOrder, blockOrder, IN_SEQUENCE, SIDE_BY_SIDE } from './block-order';
import type { Report } from './diagnostics/diagnostic';
import { keyOf, type PipelineShape, type StepSource, stepsIn } from './shape/source';

/**
 * The place of each step of a file, and what it can read from there. Invariants: 1. every step has one place, even one whose id is missing
 * or taken; 2. `byId` holds the first step of each id; 3. `reachability` takes time proportional to the depth of the two steps.
 */
export interface StepPosition {
  step: StepSource;
  block: BlockPosition;
  /** Index within its block. */
  index: number;
  /** Index within the file, outer steps before inner. */
  position: number;
  /** The block that the step holds. */
  inner?: BlockPosition;
  /** Steps of other branches that it waits for. */
  awaits?: StepPosition[];
  /** A step of another branch waits for this one. */
  isAwaited?: true;
}

export interface BlockPosition {
  kind: 'main' | 'finally' | 'branches' | 'cases' | 'group' | 'loop' | 'rounds';
  /** The step that holds it. */
  holder?: StepPosition;
  depth: number;
  places: StepPosition[];
  order: BlockOrder;
  /** The steps in it that wait for steps of other branches. */
  awaiting?: StepPosition[];
}

export interface StepPositions {
  main: BlockPosition;
  finally?: BlockPosition;
  byId: ReadonlyMap<string, StepPosition>;
}

export function stepPositions(pipeline: PipelineShape, report: Report): StepPositions {
  const byId = new Map<string, StepPosition>();
  const blocks: BlockPosition[] = [];
  let position = 0;
  const lay = (kind: BlockPosition['kind'], steps: readonly StepSource[], holder?: StepPosition): BlockPosition => {
    const block: BlockPosition = { kind, depth: holder ? holder.block.depth + 1 : 0, places: [], order: IN_SEQUENCE };
    if (holder) block.holder = holder;
    blocks.push(block);
    for (const [index, step] of steps.entries()) {
      if (position === STEP_LIMIT) tooMany(step, report);
      const place: StepPosition = { step, block, index, position: position++ };
      block.places.push(place);
      if (byId.has(step.id)) {
        report('step.duplicate-id', step.at, `another step already has the id "${step.id}"`, 'give each step an id of its own');
      } else if (step.id !== '') byId.set(step.id, place);
      const kindWithin = step.work && traitsOf(step.work.kind).blocks;
      if (kindWithin) place.inner = lay(kindWithin, stepsIn(step.work), place);
    }
    return block;
  };
  const main = lay('main', pipeline.steps);
  const last = pipeline.finally && lay('finally', pipeline.finally);
  for (const block of blocks) block.order = orderWithin(block, (id) => byId.has(id), report);
  return last ? { main, byId, finally: last } : { main, byId };
}

function tooMany({ id, at }: StepSource, report: Report): void {
  const message = `step "${id}" is step ${STEP_LIMIT + 1} of the file; a plan has ${STEP_LIMIT} at most`;
  report('plan.too-large', at, message, 'move steps into child pipelines, or go over a list with `for_each`');
}

function orderWithin({ kind, places }: BlockPosition, exists: (id: string) => boolean, report: Report): BlockOrder {
  const steps = places.map((place) => place.step);
  const unordered = UNORDERED[kind];
  if (!unordered) return blockOrder(steps, exists, report);
  for (const step of steps) {
    const afterAt = keyOf(step, 'depends_on', 'needs');
    if (afterAt) report('shape.key-not-here', afterAt, `${unordered.why}, so none of them has dependencies`, unordered.hint);
  }
  return unordered.order;
}

/** Blocks whose steps have no dependencies. */
const UNORDERED: Partial<Record<BlockPosition['kind'], { order: BlockOrder; why: string; hint: string }>> = {
  branches: {
    order: SIDE_BY_SIDE,
    why: 'branches start together',
    hint: 'put steps that wait for each other into one branch: {id, steps: […]}',
  },
  cases: {
    order: SIDE_BY_SIDE,
    why: 'only one of the cases runs',
    hint: 'put steps that wait for each other into one case: {id, steps: […]}',
  },
  finally: { order: IN_SEQUENCE, why: 'the steps of `finally` run in order', hint: 'leave it out' },
};

/**
 * How a step relates to another that wants to read it: `upstream` is settled before it, `in-loop` runs once for each item of a loop that
 * the reader is not in, `in-rounds` once in each of its rounds, `in-finally` runs last of all, `around` holds the reader.
 */
export type Reachability = 'upstream' | 'not-upstream' | 'in-loop' | 'in-rounds' | 'in-finally' | 'around';

/** @param of absent: an expression that is evaluated when all steps have run */
export function reachability(candidate: StepPosition, of: StepPosition | undefined): Reachability {
  const how = reachabilityInOrder(candidate, of);
  return how === 'not-upstream' && of ? reachabilityAcross(candidate, of) : how;
}

/** Reachability by way of the steps of other branches that `of` waits for, directly or through a step before it. */
function reachabilityAcross(candidate: StepPosition, of: StepPosition): Reachability {
  const reached = [of];
  const seen = new Set<StepPosition>();
  for (const at of reached) {
    for (const around of positionsTo(at)) {
      const { block, index } = around;
      for (const waits of block.awaiting ?? []) {
        if (seen.has(waits) || (waits !== around && !block.order.isUpstream(waits.index, index))) continue;
        seen.add(waits);
        for (const awaited of waits.awaits ?? []) {
          const how = reachabilityBehind(candidate, awaited);
          if (how !== 'not-upstream') return how;
          reached.push(awaited);
        }
      }
    }
  }
  return 'not-upstream';
}

/** Reachability from a step that begins when another is settled. */
function reachabilityBehind(candidate: StepPosition, settled: StepPosition): Reachability {
  if (candidate === settled) return 'upstream';
  const path = positionsTo(candidate);
  const at = path.indexOf(settled);
  return at < 0 ? reachabilityInOrder(candidate, settled) : throughLoops(path.slice(at + 1));
}

function throughLoops(path: readonly StepPosition[]): Reachability {
  const loop = path.find(({ block }) => isLoop(block));
  return loop ? (loop.block.kind === 'loop' ? 'in-loop' : 'in-rounds') : 'upstream';
}

function reachabilityInOrder(candidate: StepPosition, of: StepPosition | undefined): Reachability {
  const path = positionsTo(candidate);
  const other = of ? positionsTo(of) : [];
  const shared = path.findIndex((place, i) => place !== other[i]);
  const from = path[shared];
  const to = other[Math.max(0, shared)];
  if (!from) return candidate === of ? 'not-upstream' : 'around';
  if (of && !to) return 'not-upstream';
  if (from.block.kind === 'finally' && to?.block !== from.block) return 'in-finally';
  if (to && from.block === to.block && !from.block.order.isUpstream(from.index, to.index)) return 'not-upstream';
  return throughLoops(path.slice(shared + 1));
}

/** A step and its holders, outermost first. */
export function positionsTo(place: StepPosition): StepPosition[] {
  const path = [place];
  for (let holder = place.block.holder; holder; holder = holder.block.holder) path.push(holder);
  return path.reverse();
}

export function isInFinally(place: StepPosition): boolean {
  return positionsTo(place)[0]?.block.kind === 'finally';
}

/** Whether a block runs many times. */
export function isLoop({ kind }: BlockPosition): boolean {
  return kind === 'loop' || kind === 'rounds';
}

/** The holders of a place, innermost first. */
export function* holdersOf(place: StepPosition | undefined): Generator<StepPosition> {
  for (let holder = place?.block.holder; holder; holder = holder.block.holder) yield holder;
}

/** The place after the last step of the block that a step holds, where all of the block can be read. */
export function endOfBlock({ step, inner, position }: StepPosition): StepPosition | undefined {
  // Inventing a block of its own avoids an order that would have to lead here.
  return inner && { step, block: { ...inner, places: [] }, index: 0, position };
}
