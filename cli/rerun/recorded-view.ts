import { traitsOf } from '../../kinds/traits';
import { defined } from '../../plan/defined';
import type { LookedUpCall } from '../../plan/run/ledger-lookup';
import type { RunView, StepView } from '../../plan/run/status';
import { parseAddress } from '../../plan/steps/address';
import { callIdAt } from '../../plan/steps/call-address';
import type { StepOutput } from '../../plan/steps/step-activity';
import type { Records } from '../../records/records';
import { unreportedOf } from './unreported-work';

/**
 * The view of a run with the ledger's work added. A run that was terminated, or cancelled without a worker, does not know of its work in
 * progress: work that the ledger has is done. The view of a run that continues, or has completed, is complete.
 */
export async function recordedView(view: RunView, stores: () => Records): Promise<RunView> {
  const open = view.state === 'cancelled' || view.state === 'failed' ? view.steps.filter((step) => isUnreported(step, view)) : [];
  if (open.length === 0) return view;
  const calls = open.map(({ address, kind }): LookedUpCall => ({ call: callIdAt(address), kind }));
  const found = await unreportedOf(stores(), { workflowId: view.run, run: view.firstRunId }, calls);
  return { ...view, steps: view.steps.map((step) => withOutput(step, found[callIdAt(step.address)])) };
}

/** Whether a step's end is missing: it began, and neither failed nor ended; or it may have been part of a command chain that did. */
function isUnreported({ kind, state, startedAt, error, artifact, address }: StepView, { steps }: RunView): boolean {
  const { ledger, chains } = traitsOf(kind);
  if (ledger === undefined) return false;
  if (error !== undefined || artifact !== undefined || parseAddress(address) === undefined) return false;
  if (state === 'skipped') return startedAt !== undefined;
  return state === 'pending' && chains === true && steps.some((other) => traitsOf(other.kind).chains && other.startedAt !== undefined);
}

/** A verdict or a person's decision may be missing: then the work is shown, and the step is not done. */
function withOutput(step: StepView, output: StepOutput | undefined): StepView {
  if (!output) return step;
  const { artifact, verdict, usage, adapter } = output;
  const isOpen = output.approval !== undefined || (verdict !== undefined && verdict.verdict !== 'pass');
  return {
    ...step,
    ...defined({ state: isOpen ? undefined : ('done' as const), artifact, verdict, usage, adapter }),
  };
}
