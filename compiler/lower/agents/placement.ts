import type { AfterApproval } from '../../../plan/steps/step';
import { keyOf } from '../../shape/source';
import type { AfterApprovalSource } from '../../shape/source-parts';
import { lowerActions } from '../action';
import { budgetOf, checkStepBudget } from '../budget';
import { templateOf } from '../context';
import type { StepContext } from '../step-context';
import { lowerWorktree } from '../worktree';

const QUEUE = /^[A-Za-z][A-Za-z0-9._-]{0,63}$/;
const PRIORITIES = [1, 2, 3, 4, 5] as const;

/** Adds where a step is worked on, what it may cost, how it is shown, and who is asked once it is done. */
export function addPlacement(here: StepContext): void {
  const { place, base, context } = here;
  const { queue, priority, summary, budget, worktree, approval, category } = place.step;
  if (queue && QUEUE.test(queue.value)) base.queue = queue.value;
  else if (queue) {
    const message = `"${queue.value}" is not a valid name for a capability`;
    context.report('names.invalid', queue.at, message, 'write a word such as gpu');
  }
  const rank = PRIORITIES.find((known) => known === priority);
  if (rank) base.priority = rank;
  // The workflow renders it, so the values it reads enter the history.
  const line = templateOf(summary, place, context);
  for (const piece of line ?? []) if (typeof piece !== 'string') context.reads.note(piece, place);
  if (line) base.summary = line;
  if (budget) {
    base.budget = budgetOf(budget);
    checkStepBudget(base.budget, keyOf(place.step, 'budget') ?? place.step.at, context);
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
