import { OPEN, type OutputShape } from '../expression/output-shape';
import { keyOf } from '../shape/source';
import type { BlockPosition, StepPosition } from '../step-positions';

/** The steps of a block that have an output, by id. */
export function fieldsOfBlock(block: BlockPosition | undefined, inner: (place: StepPosition) => OutputShape): Map<string, OutputShape> {
  const found = new Map<string, OutputShape>();
  for (const place of block?.places ?? []) {
    const shape = inner(place);
    if (shape.kind !== 'none') found.set(place.step.id, shape);
  }
  return found;
}

/** The output of the last step of a block that ran, if it is clear which one that is. */
export function lastShape(block: BlockPosition | undefined, inner: (place: StepPosition) => OutputShape): OutputShape {
  const last = block?.places[block.places.length - 1];
  if (!block || !last || block.order.kind !== 'sequence') return OPEN;
  const certain = !keyOf(last.step, 'when', 'condition') && block.places.every(({ step }) => !step.onError);
  const shape = certain ? inner(last) : OPEN;
  return shape.kind === 'none' ? OPEN : shape;
}
