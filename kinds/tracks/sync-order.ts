import type { Located } from '../../compiler/diagnostics/diagnostic';
import { didYouMean } from '../../compiler/diagnostics/suggest';
import type { StepContext } from '../../compiler/lower/step-context';
import { entryOf } from '../../compiler/read/node';
import { otherSide, TRACK_SIDES, type TrackSide } from './rules/alignment';
import { phasesOf, pointsOf, type SyncSource, type TracksSource } from './written';

/** The position of a phase: its track, and its index there, from 0. */
interface PhasePosition {
  side: TrackSide;
  index: number;
}

/**
 * The phases after which each sync point comes; undefined for an impossible one, which is reported: a phase that does not exist, two of one
 * track, or a point that is not after the previous one on both tracks.
 */
export function syncPhases(work: TracksSource, { context }: StepContext): (Record<TrackSide, string> | undefined)[] {
  const positions = new Map<string, PhasePosition>();
  for (const side of TRACK_SIDES) for (const [index, { id }] of phasesOf(work, side).entries()) positions.set(id.value, { side, index });
  const last: Record<TrackSide, number> = { a: -1, b: -1 };
  let before: string | undefined;
  return pointsOf(work).map((point) => {
    const { after = [] } = point;
    checkCount(point, context.report);
    const [one, other] = after;
    const [first, second] = [one, other].map((name) => name && positionOf(name, point, positions, context.report));
    if (!one || !other || !first || !second || after.length !== 2) return undefined;
    if (first.side === second.side) {
      const message = `the sync point "${point.id.value}" comes after "${one.value}" and "${other.value}", which are both of track ${first.side}`;
      context.report('tracks.same-track', other.at, message, `name a phase of track ${otherSide(first.side)} as well`);
      return undefined;
    }
    const early = [one, other].find((name) => isEarly(positions.get(name.value), last));
    if (early) {
      const message = `the sync point "${point.id.value}" comes after "${early.value}", but track ${positions.get(early.value)?.side} is past that phase at "${before}"`;
      context.report(
        'tracks.points-cross',
        early.at,
        message,
        'name later phases of both tracks than the point before, or change the order',
      );
      return undefined;
    }
    for (const { side, index } of [first, second]) last[side] = index;
    before = point.id.value;
    return first.side === 'a' ? { a: one.value, b: other.value } : { a: other.value, b: one.value };
  });
}

function checkCount({ after, node }: SyncSource, report: StepContext['context']['report']): void {
  const at = entryOf(node, 'after')?.value.at;
  if (!after || !at || after.length === 2) return;
  const message = `"after" names ${after.length === 1 ? 'one phase' : `${after.length} phases`}, and a sync point comes after two`;
  report('shape.out-of-range', at, message, 'name one phase of each track');
}

function isEarly(position: PhasePosition | undefined, last: Record<TrackSide, number>): boolean {
  return position !== undefined && position.index <= last[position.side];
}

function positionOf(
  { value, at }: Located<string>,
  { id }: SyncSource,
  positions: ReadonlyMap<string, PhasePosition>,
  report: StepContext['context']['report'],
): PhasePosition | undefined {
  const found = positions.get(value);
  if (!found) {
    const hint = () => didYouMean(value, positions.keys(), 'it takes the ids of phases');
    report('tracks.unknown-phase', at, `the sync point "${id.value}" comes after "${value}", which no track has`, hint);
  }
  return found;
}
