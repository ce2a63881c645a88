import { chains } from '../../kinds/questions';
import type { Block, CommandStep, Step } from '../../plan/step';
import type { BlockPlace } from '../places';
import type { Context } from './context';
import { lowerStep } from './step';

/** A block and all within. Branches have no order: only their steps are wanted. */
export function lowerBlock(block: BlockPlace, context: Context): Block {
  const inner = (held: BlockPlace): Block => lowerBlock(held, context);
  const steps = block.places.flatMap((place) => lowerStep(place, context, inner) ?? []);
  if (block.order.kind === 'graph') return { order: 'graph', steps };
  if (block.order.kind === 'sequence') chain(steps);
  return { order: 'sequence', steps };
}

/**
 * Marks the commands of a sequence that may run in one activity with the command before them: nothing is decided between
 * the two, no budget of one is left to the other, and no worker that could do one of them may be kept from the other. Records of a step in the same chain are
 * not there before the chain has ended, so who reads them begins a new one.
 */
function chain(steps: readonly Step[]): void {
  let before: CommandStep | undefined;
  let members = new Set<string>();
  for (const step of steps) {
    if (!chains(step)) {
      before = undefined;
      continue;
    }
    if (before && follows(step, before) && !step.records?.some((record) => members.has(record.step))) step.chained = true;
    else members = new Set();
    members.add(step.id);
    before = step;
  }
}

function follows(step: CommandStep, before: CommandStep): boolean {
  if (step.when || step.approval || before.approval) return false;
  if (step.category || before.category || step.budget || before.budget) return false;
  const same = step.queue === before.queue && step.priority === before.priority;
  return same && sameTree(step.worktree, before.worktree);
}

/** Two steps share a tree where both have none, or both work on in another's. */
function sameTree(one: CommandStep['worktree'], other: CommandStep['worktree']): boolean {
  if (!one || !other) return one === other;
  return 'of' in one && 'of' in other && one.of === other.of;
}
