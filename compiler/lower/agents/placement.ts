import type { AfterApproval } from '../../../plan/steps/step';
import type { AfterApprovalSource } from '../../shape/source-parts';
import { lowerActions } from '../action';
import { checkStepBudget } from '../budget';
import { templateOf } from '../context';
import type { StepContext } from '../step-context';
import { lowerWorktree } from '../worktree';

/** Adds where a step is worked on, what it may cost, how it is shown, and who is asked once it is done. */
export function addPlacement(here: StepContext): void {
  const { place, base, context } = here;
  const { queue, priority, summary, budget, worktree, approval, category } = place.step;
  if (queue !== undefined) base.queue = queue;
  if (priority !== undefined) base.priority = priority;
  // The workflow renders it, so the values it reads enter the history.
  const line = templateOf(summary, place, context);
  for (const piece of line ?? []) if (typeof piece !== 'string') context.reads.note(piece, place);
  if (line) base.summary = line;
  if (budget) {
    base.budget = budget.value;
    checkStepBudget(budget, context);
  }
  const tree = worktree && lowerWorktree(worktree, here);
  if (tree) base.worktree = tree;
  if (category) base.category = category;
  if (approval) base.approval = afterApproval(approval, here);
}

/** Lowers `approval:` after work. Its texts may read the step itself: they are rendered when the step has done its work. */
function afterApproval(source: AfterApprovalSource, here: StepContext): AfterApproval {
  const { place, context, template } = here;
  const spec: AfterApproval = {};
  for (const key of ['prompt', 'items', 'preview', 'initiatedBy', 'requiredApprover'] as const) {
    const found = template(source[key], { itself: true });
    if (found) spec[key] = found;
  }
  if (source.requireDifferentApprover) spec.requireDifferentApprover = true;
  if (source.onReject) spec.onReject = lowerActions(source.onReject, 'on_reject', place, context);
  return spec;
}
