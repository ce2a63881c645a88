import type { RunView, StepView } from '../../plan/run/status';
import { isWithinStep, pathOfStep } from '../rendering/step-tree';

/** Children of children: nesting of pipelines is bounded by this. */
const DEPTH = 5;

/**
 * Where a run that failed or was cancelled broke off: the address that `rerun --from` takes, for a child pipeline's step with the path to
 * it. Undefined if nothing failed. `lookAt` gives the view of a child's run, and undefined if nobody knows it.
 */
export async function failedStep(
  view: RunView,
  lookAt: (run: string) => Promise<RunView | undefined>,
  depth = DEPTH,
): Promise<string | undefined> {
  const step = view.state === 'failed' || view.state === 'cancelled' ? brokeOffAt(view) : undefined;
  if (step === undefined) return undefined;
  const child = step.child === undefined || depth === 0 ? undefined : await lookAt(step.child);
  const within = child && (await failedStep(child, lookAt, depth - 1));
  return within === undefined ? pathOfStep(step) : `${pathOfStep(step)}/${within}`;
}

/** The step that the run's error names, down to the failed inner step; else the first unfinished step that has no inner steps. */
function brokeOffAt({ error, steps }: RunView): StepView | undefined {
  const named = error?.step?.replace(/[#~].*$/, '');
  const first = named === undefined ? undefined : steps.find((step) => pathOfStep(step) === named);
  // Finished inner steps of a cancelled container need not run again.
  if (first === undefined) return steps.find((step) => isUnfinished(step) && !steps.some((other) => isWithinStep(other, step)));
  return innermost(first, steps);
}

/** A failed inner step need not be the reason for the failure: the message holds that of its cause. */
function innermost(step: StepView, steps: readonly StepView[]): StepView {
  const within = steps.find((one) => one.state === 'failed' && isWithinStep(one, step) && isCause(one, step));
  return within === undefined ? step : innermost(within, steps);
}

function isCause({ error }: StepView, { error: whole }: StepView): boolean {
  return error === undefined || whole === undefined || whole.message.includes(error.message);
}

/** Whether a rerun does the step again: it had begun and was cancelled, or it failed. */
function isUnfinished({ state, startedAt, error }: StepView): boolean {
  return state === 'skipped' ? startedAt !== undefined && error === undefined : state !== 'done';
}
