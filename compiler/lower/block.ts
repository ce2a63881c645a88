import type { Block } from '../../plan/steps/step';
import type { BlockPosition } from '../step-positions';
import { markChained } from './chain';
import type { LowerContext } from './lower-context';
import { lowerStep } from './step';

/** A block and all within. Branches have no order: only their steps are wanted. */
export function lowerBlock(block: BlockPosition, context: LowerContext): Block {
  const inner = (held: BlockPosition): Block => lowerBlock(held, context);
  const steps = block.places.flatMap((place) => lowerStep(place, context, inner) ?? []);
  if (block.order.kind === 'graph') return { order: 'graph', steps };
  if (block.order.kind === 'sequence') markChained(steps);
  return { order: 'sequence', steps };
}
