import { holdsBlock } from '../../kinds/questions';
import type { ControlBlock, ControlPlan, ControlStep } from './control';
import { orderOf } from './order';
import { runsInTurns, stepsWithin } from './walk';

/**
 * The steps that are settled before a step begins, nearest first: those that it depends on, directly or through others, in its own block
 * and in each enclosing block, with their inner steps. For a loop that the step is not in, only the loop itself: neither its iterations nor
 * parts that run in turns have a single output. Branches of a `parallel` are upstream of each other only as far as their steps wait for
 * each other; a step of `finally` comes after all others. Empty if there is no such step.
 *
 * Inner steps are visited once, and a block once when it is first needed: the nearest few steps of the last of ten thousand cost as much as
 * those of the first.
 */
export function upstreamOf(plan: Pick<ControlPlan, 'block' | 'finally'>): (id: string) => Generator<ControlStep> {
  let inner: Map<string, StepInBlock> | undefined;
  const find = (id: string): StepInBlock | undefined => {
    const blocks = plan.finally ? [plan.block, plan.finally] : [plan.block];
    for (const block of blocks) {
      const step = block.steps[orderOf(block).position(id)];
      if (step) return { block, step, outer: undefined };
    }
    inner ??= innerSteps(blocks);
    return inner.get(id);
  };

  /** Steps settled before, by way of other branches as well, each once. */
  function* settledBefore(from: StepInBlock): Generator<ControlStep> {
    const seen = new Set<string>();
    const reached = [from];
    for (const start of reached) {
      for (let at: StepInBlock | undefined = start; at; at = at.outer) {
        const awaited = [...(at.step.awaits ?? [])];
        for (const step of before(at.block, at.step)) {
          awaited.push(...(step.awaits ?? []));
          if (seen.has(step.id)) continue;
          seen.add(step.id);
          yield step;
        }
        for (const id of awaited) {
          const found = find(id);
          if (!found || seen.has(id)) continue;
          for (const step of withSteps(found.step)) {
            seen.add(step.id);
            yield step;
          }
          reached.push(found);
        }
      }
    }
  }

  return function* upstream(id) {
    const from = find(id);
    if (!from) return;
    yield* settledBefore(from);
    let last = from;
    while (last.outer) last = last.outer;
    if (last.block !== plan.finally) return;
    for (const step of plan.block.steps.toReversed()) yield* withSteps(step);
  };
}

/** A step in its block, and the holder of that block. */
interface StepInBlock {
  block: ControlBlock;
  step: ControlStep;
  outer: StepInBlock | undefined;
}

/** The steps within others. */
function innerSteps(blocks: readonly ControlBlock[]): Map<string, StepInBlock> {
  const found = new Map<string, StepInBlock>();
  const layOut = (block: ControlBlock, outer: StepInBlock | undefined): void => {
    for (const holder of block.steps) {
      if (stepsWithin<ControlStep>(holder).length === 0) continue;
      const own = { block, step: holder, outer };
      const within = blockWithin(holder);
      // The first of two with one name counts.
      for (const step of within.steps) if (!found.has(step.id)) found.set(step.id, { block: within, step, outer: own });
      layOut(within, own);
    }
  };
  for (const block of blocks) layOut(block, undefined);
  return found;
}

function blockWithin(step: ControlStep): ControlBlock {
  return holdsBlock(step) ? step.block : { order: 'graph', steps: [...stepsWithin<ControlStep>(step)] };
}

function* before(block: ControlBlock, step: ControlStep): Generator<ControlStep> {
  const { needsOf, position } = orderOf(block);
  const seen = new Set<string>();
  let ring = needsOf(step.id);
  while (ring.length > 0) {
    const next: string[] = [];
    for (const id of ring) {
      const found = block.steps[position(id)];
      if (!found || seen.has(id)) continue;
      seen.add(id);
      yield* withSteps(found);
      for (const needed of needsOf(id)) next.push(needed);
    }
    ring = next;
  }
}

function* withSteps(step: ControlStep): Generator<ControlStep> {
  yield step;
  if (!runsInTurns<ControlStep>(step)) for (const inner of stepsWithin<ControlStep>(step).toReversed()) yield* withSteps(inner);
}
