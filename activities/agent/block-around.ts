import type { Block, Step } from '../../plan/steps/step';
import type { LoadedRun } from '../run/loaded-run';

/** The block that has a step, wherever in the plan it is. Undefined for branches and parts. */
export function blockAround({ plan, steps }: Pick<LoadedRun, 'plan' | 'steps'>, id: string): Block | undefined {
  const blocks = [plan.block, plan.finally, ...[...steps.values()].map(blockOf)];
  return blocks.find((one) => one?.steps.some((step) => step.id === id));
}

function blockOf(step: Step): Block | undefined {
  return 'block' in step ? step.block : undefined;
}
