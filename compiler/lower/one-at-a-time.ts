import { isCallable, isOneAtATime } from '../../kinds/questions';
import { keyOf, type StepSource } from '../shape/source';
import { type BlockPosition, holdersOf, reachability, type StepPosition } from '../step-positions';
import type { LowerContext } from './lower-context';

/**
 * Reports steps that a run may have only one at a time (`oneAtATime`) if neither an order nor a condition keeps them apart: in branches, in
 * steps without an order, in items of a loop.
 *
 * Invariant: what a condition, a case, an action or the error of another step decides is left to the run, which makes the second step wait.
 */
export function checkOneAtATime({ places, calls, report }: LowerContext): void {
  const called = new Set(calls.map(({ step }) => step));
  const all = [...places.byId.values()].filter((place) => place.step.work && isOneAtATime(place.step.work) && !called.has(place));
  if (all.length === 0) return;
  const sideBySide = new Map<BlockPosition, Map<StepPosition, StepPosition[]>>();
  for (const place of all) {
    for (const [child, block] of certainBlocks(place)) {
      if (itemsAtOnce(block)) {
        reportTwice(
          place,
          `may run in several items of "${block.holder?.step.id}" at once`,
          'write `max_concurrent: 1`, or leave it out',
          report,
        );
        break;
      }
      if (!isSideBySide(block)) continue;
      const children = entry(sideBySide, block, () => new Map<StepPosition, StepPosition[]>());
      entry(children, child, () => []).push(place);
    }
  }
  for (const [block, children] of sideBySide) reportUnordered([...children.values()], block, report);
}

function entry<K, V>(map: Map<K, V>, key: K, fresh: () => V): V {
  const known = map.get(key) ?? fresh();
  map.set(key, known);
  return known;
}

/** The blocks around a step up to a condition, innermost first, each with the child that is or holds the step. */
function* certainBlocks(place: StepPosition): Generator<[child: StepPosition, block: BlockPosition]> {
  if (solvesError(place.step)) return;
  for (const child of [place, ...holdersOf(place)]) {
    if (keyOf(child.step, 'when', 'condition') || child.block.kind === 'cases') return;
    yield [child, child.block];
  }
}

/** `issue: $x.error` is empty unless x has failed, and a step with an empty issue is skipped. */
function solvesError({ work }: StepSource): boolean {
  const issue = work && isCallable(work) ? work.issue : undefined;
  const [only, ...rest] = issue && 'template' in issue ? issue.template : [];
  if (typeof only !== 'object' || rest.length > 0) return false;
  return only.kind === 'name' && only.dollar && only.path[0]?.key === 'error';
}

function isSideBySide({ kind, order, holder }: BlockPosition): boolean {
  return order.kind === 'graph' || (kind === 'branches' && concurrencyOf(holder) !== 1);
}

function itemsAtOnce({ kind, holder }: BlockPosition): boolean {
  return kind === 'loop' && (concurrencyOf(holder) ?? 1) > 1;
}

function concurrencyOf(holder: StepPosition | undefined): number | undefined {
  const work = holder?.step.work;
  return work && 'maxConcurrent' in work ? work.maxConcurrent : undefined;
}

/** If steps all have an order, each comes after the one before once they are sorted, so comparing neighbours is enough. */
function reportUnordered(children: readonly StepPosition[][], block: BlockPosition, report: LowerContext['report']): void {
  const inOrder = [...children].sort((x, y) => (areAllBehind(y, x) ? -1 : areAllBehind(x, y) ? 1 : 0));
  for (const [i, later] of inOrder.entries()) {
    const [first, second] = unordered(inOrder[i - 1] ?? [], later);
    if (!first || !second) continue;
    const after = `write \`after: ${first.step.id}\`, or \`max_concurrent: 1\``;
    const hint = block.kind === 'branches' ? after : 'order them with `depends_on`';
    reportTwice(second, `may run at the same time as "${first.step.id}"`, hint, report);
  }
}

function areAllBehind(later: readonly StepPosition[], earlier: readonly StepPosition[]): boolean {
  return later.every((one) => earlier.every((other) => isBehind(one, other)));
}

function unordered(some: readonly StepPosition[], others: readonly StepPosition[]): StepPosition[] {
  for (const one of some) for (const other of others) if (!isBehind(one, other) && !isBehind(other, one)) return [one, other];
  return [];
}

function isBehind(later: StepPosition, earlier: StepPosition): boolean {
  return reachability(earlier, later) !== 'not-upstream';
}

function reportTwice({ step: { id, at, work } }: StepPosition, what: string, hint: string, report: LowerContext['report']): void {
  report('step.one-at-a-time', at, `${work?.kind} "${id}" ${what}, and a run has one ${work?.kind} at a time`, hint);
}
