import type { StepPosition } from '../../step-positions';
import type { LowerContext } from '../lower-context';

/**
 * The inputs of a step that names none: the dependencies that have an output; in a sequence, the nearest earlier step that has one. The
 * first step of an inner block gets what the step that holds the block would get.
 */
export function producersBefore(place: StepPosition, context: LowerContext): string[] {
  for (let at: StepPosition | undefined = place; at; at = at.block.holder) {
    const found = within(at, context);
    if (found.length > 0 || at.block.order.before(at.index).length > 0) return found.map((one) => one.step.id);
  }
  return [];
}

function within(place: StepPosition, context: LowerContext): StepPosition[] {
  const { places, order } = place.block;
  const produces = (index: number): StepPosition | undefined => {
    const candidate = places[index];
    return candidate && context.shapeOf(candidate).kind !== 'none' ? candidate : undefined;
  };
  if (order.kind !== 'sequence') return order.before(place.index).flatMap((index) => produces(index) ?? []);
  const nearest = nearestProducers(place, produces);
  return nearest ? [nearest] : [];
}

const KNOWN = new WeakMap<StepPosition['block'], (StepPosition | undefined)[]>();

/** The nearest earlier producer of each step in a sequence, computed once for the block. */
function nearestProducers(place: StepPosition, produces: (index: number) => StepPosition | undefined): StepPosition | undefined {
  let known = KNOWN.get(place.block);
  if (!known) {
    known = [];
    let last: StepPosition | undefined;
    for (const index of place.block.places.keys()) {
      known.push(last);
      last = produces(index) ?? last;
    }
    KNOWN.set(place.block, known);
  }
  return known[place.index];
}
