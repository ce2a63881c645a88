import { OPEN, type OutputShape } from '../expression/output-shape';
import type { Place } from '../places';
import { LOWERING } from './kinds';
import type { Shapes } from './lowering';

/** What is known of the output of a step. */
export function outputShape(place: Place, shapes: Shapes): OutputShape {
  const { work } = place.step;
  return work ? LOWERING[work.kind].output(work, place, shapes) : OPEN;
}
