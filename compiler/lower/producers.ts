import type { Place } from '../places';
import type { Context } from './context';

/**
 * What a step gets where it does not say: its dependencies that put something out; in a sequence the nearest step
 * before it that does. The first of an inner block gets what the step that holds the block would be.
 */
export function producersBefore(place: Place, context: Context): string[] {
  for (let at: Place | undefined = place; at; at = at.block.holder) {
    const found = within(at, context);
    if (found.length > 0 || at.block.order.before(at.index).length > 0) return found.map((one) => one.step.id);
  }
  return [];
}

function within(place: Place, context: Context): Place[] {
  const { places, order } = place.block;
  const produces = (index: number): Place | undefined => {
    const candidate = places[index];
    return candidate && context.shapeOf(candidate).kind !== 'none' ? candidate : undefined;
  };
  if (order.kind !== 'sequence') return order.before(place.index).flatMap((index) => produces(index) ?? []);
  const nearest = nearestProducers(place, produces);
  return nearest ? [nearest] : [];
}

const KNOWN = new WeakMap<Place['block'], (Place | undefined)[]>();

/** For each step of a sequence the nearest producer before it, worked out once for the block. */
function nearestProducers(place: Place, produces: (index: number) => Place | undefined): Place | undefined {
  let known = KNOWN.get(place.block);
  if (!known) {
    known = [];
    let last: Place | undefined;
    for (const index of place.block.places.keys()) {
      known.push(last);
      last = produces(index) ?? last;
    }
    KNOWN.set(place.block, known);
  }
  return known[place.index];
}
