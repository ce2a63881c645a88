import type { Located, Report } from './diagnostics/diagnostic';
import { didYouMean } from './diagnostics/suggest';
import { type BlockPosition, isLoop, positionsTo, type StepPosition, type StepPositions } from './step-positions';

/**
 * Steps that wait for steps of another branch of the same `parallel` (`after`). Invariants: 1. the awaited step is in another branch, and
 * in no loop that the waiting step is not in; 2. no step waits for itself, whether by the order of its own branch, by what is around it or
 * within it, or by what `max_concurrent` holds back.
 */
export function linkBranches({ byId }: StepPositions, report: Report): void {
  const waiting = [...byId.values()].filter(({ step }) => step.after && step.after.length > 0);
  for (const place of waiting) {
    const found = new Set<StepPosition>();
    for (const name of place.step.after ?? []) {
      const awaited = byId.get(name.value);
      const problem = awaited ? whyNot(place, awaited) : undefined;
      if (awaited && !problem) found.add(awaited);
      else reportWrong(place, name, problem, byId, report);
    }
    if (found.size === 0) continue;
    place.awaits = [...found];
    for (const awaited of found) awaited.isAwaited = true;
    place.block.awaiting = [...(place.block.awaiting ?? []), place];
  }
  if (waiting.length > 0) reportCircles(waiting, report);
}

/** The hint for a step that cannot wait for another: what to write instead. */
function whyNot(place: StepPosition, awaited: StepPosition): string | undefined {
  const [own, other] = [positionsTo(place), positionsTo(awaited)];
  const shared = other.findIndex((step, i) => step !== own[i]);
  const [to, from] = [own[shared], other[shared]];
  if (!from || !to) return 'leave `after` out: one of the two steps is within the other';
  if (from.block.kind !== 'branches')
    return from.block === place.block
      ? 'write `depends_on`, or put this step after the other'
      : 'the steps around the two have an order: leave `after` out, or put this step after the other';
  const loop = other.slice(shared + 1).find(({ block }) => isLoop(block));
  return loop && `wait for the loop "${loop.block.holder?.step.id}": its steps run many times`;
}

function reportWrong(
  { step }: StepPosition,
  { value, at }: Located<string>,
  hint: string | undefined,
  byId: ReadonlyMap<string, StepPosition>,
  report: Report,
): void {
  if (hint === undefined) {
    const known = () => didYouMean(value, byId.keys(), 'name a step of another branch of the same `parallel`');
    report('order.unknown-step', at, `step "${step.id}" waits for "${value}", which does not exist`, known);
    return;
  }
  const message = `step "${step.id}" cannot wait for "${value}", which is not a step of another branch of the same \`parallel\``;
  report('order.not-a-branch', at, message, hint);
}

/** The beginning or the end of a step. */
interface Moment {
  place: StepPosition;
  isEnd: boolean;
}

/** Looks for circles from each step that waits for one of another branch, and reports each circle once. */
function reportCircles(waiting: readonly StepPosition[], report: Report): void {
  const over = new Set<string>();
  for (const place of waiting) {
    const way: { moment: Moment; needs: Iterator<Moment> }[] = [];
    const onWay = new Map<string, number>();
    const enter = (moment: Moment): void => {
      onWay.set(keyOf(moment), way.length);
      way.push({ moment, needs: needsOf(moment) });
    };
    if (!over.has(keyOf({ place, isEnd: false }))) enter({ place, isEnd: false });
    for (let top = way.at(-1); top; top = way.at(-1)) {
      const next = top.needs.next();
      if (next.done) {
        way.pop();
        onWay.delete(keyOf(top.moment));
        over.add(keyOf(top.moment));
        continue;
      }
      const begun = onWay.get(keyOf(next.value));
      if (begun !== undefined)
        reportCircle(
          way.slice(begun).map(({ moment }) => moment),
          report,
        );
      else if (!over.has(keyOf(next.value))) enter(next.value);
    }
  }
}

function keyOf({ place, isEnd }: Moment): string {
  return `${place.position}${isEnd ? '.' : ''}`;
}

/** The moments that must come before this one. */
function* needsOf({ place, isEnd }: Moment): Generator<Moment> {
  const { block, index, inner, awaits = [] } = place;
  if (isEnd) {
    yield { place, isEnd: false };
    for (const within of inner?.places ?? []) yield { place: within, isEnd: true };
    return;
  }
  if (block.holder) yield { place: block.holder, isEnd: false };
  for (const before of [...block.order.before(index), ...beforeInLine(place)]) {
    const earlier = block.places[before];
    if (earlier) yield { place: earlier, isEnd: true };
  }
  for (const awaited of awaits) yield { place: awaited, isEnd: true };
}

/** Branches that may have to end before this one can begin. */
function beforeInLine({ block, index }: StepPosition): number[] {
  const most = maxConcurrentOf(block);
  return most === undefined || index < most ? [] : Array.from({ length: index }, (_, i) => i);
}

function maxConcurrentOf({ kind, holder }: BlockPosition): number | undefined {
  const work = holder?.step.work;
  return kind === 'branches' && work && 'maxConcurrent' in work ? work.maxConcurrent : undefined;
}

/** A circle of `depends_on` alone is not reported here, but when its block is put in order. */
function reportCircle(moments: readonly Moment[], report: Report): void {
  const [places, first] = [moments.map(({ place }) => place), moments.findIndex(({ place, isEnd }) => !isEnd && place.awaits)];
  const turned = [...places.slice(first), ...places.slice(0, first)].filter((place, i, all) => place !== all[i - 1]);
  const [from] = turned;
  if (!from || first < 0) return;
  const ids = [...turned, from].filter((place, i, all) => place !== all[i - 1]).map(({ step }) => step.id);
  const awaited = from.step.after?.find(({ value }) => ids.includes(value)) ?? from.step;
  const isKept = places.some((place, i) => beforeInLine(place).includes(places[(i + 1) % places.length]?.index ?? -1));
  const hint = isKept
    ? 'raise `max_concurrent`, or write the branch that others wait for first: with more branches than that, a later one begins only when an earlier one has ended'
    : 'remove one of the dependencies';
  report('order.cycle', awaited.at, `steps wait for each other: ${ids.join(' → ')}`, hint);
}
