import type { AfterApproval, WorktreeSpec } from '../../../plan/steps/step';
import type { Report, SourceSpan } from '../../diagnostics/diagnostic';
import type { AfterApprovalSource, WorktreeSource } from '../../shape/source-parts';
import { lowerActions } from '../action';
import { checkStepBudget } from '../budget';
import { templateOf, upstreamStep } from '../context';
import type { StepContext } from '../step-context';

/** Where a step is worked on, what it may cost, how it is shown, and who is asked once it is done. */
export function addPlacement(here: StepContext): void {
  const { place, base, context } = here;
  const { queue, priority, summary, budget, worktree, approval, category } = place.step;
  if (queue !== undefined) base.queue = queue;
  if (priority !== undefined) base.priority = priority;
  // The workflow renders it: what it reads is control.
  const line = templateOf(summary, place, context);
  for (const piece of line ?? []) if (typeof piece !== 'string') context.reads.note(piece, place);
  if (line) base.summary = line;
  if (budget) {
    base.budget = budget.value;
    checkStepBudget(budget, context);
  }
  const tree = worktree && worktreeOf(worktree, here);
  if (tree) base.worktree = tree;
  if (worktree) warnNotRun('worktree', worktree.at, context.report);
  if (category) base.category = category;
  if (approval) base.approval = afterApproval(approval, here);
}

/** What is checked and is in the plan, but which this version does not run. */
function warnNotRun(key: string, at: SourceSpan, report: Report): void {
  report('language.not-run', at, `"${key}" is checked, but a run of this pipeline is refused by this version`, 'remove it to run it now');
}

function worktreeOf(source: WorktreeSource, here: StepContext): WorktreeSpec | undefined {
  if (source.kind === 'of') return upstreamStep(source.step, here.place, 'worktree', here.context) ? { of: source.step.value } : undefined;
  const { template } = here;
  const spec: Exclude<WorktreeSpec, { of: string }> = {};
  const [repo, base] = [template(source.repo), template(source.base)];
  if (repo) spec.repo = repo;
  if (base) spec.base = base;
  if (source.copy && source.copy.length > 0) spec.copy = source.copy;
  for (const key of ['setup', 'teardown'] as const) {
    const commands = source[key]?.flatMap((command) => {
      const found = template(command);
      return found ? [found] : [];
    });
    if (commands && commands.length > 0) spec[key] = commands;
  }
  if (source.keep) spec.keep = true;
  return spec;
}

/** Its texts may read the step itself: they are rendered when it has done its work. */
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
