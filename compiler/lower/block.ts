import type { Block } from '../../plan/step';
import type { BlockPlace } from '../places';
import { markChained } from './chain';
import type { Context } from './context';
import { lowerStep } from './step';

/** A block and all within. Branches have no order: only their steps are wanted. */
export function lowerBlock(block: BlockPlace, context: Context): Block {
  const inner = (held: BlockPlace): Block => lowerBlock(held, context);
  const steps = block.places.flatMap((place) => lowerStep(place, context, inner) ?? []);
  if (block.order.kind === 'graph') return { order: 'graph', steps };
  if (block.order.kind === 'sequence') markChained(steps);
  return { order: 'sequence', steps };
}
