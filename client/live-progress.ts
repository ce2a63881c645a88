import { traitsOf } from '../kinds/traits';
import { defined } from '../plan/defined';
import type { RunView, StepView } from '../plan/run/status';
import type { PendingActivity, WorkProgress } from './pending-activities';

/**
 * A run's view with the progress that its running work reports: an agent's turns, which step of a chain is running, and that no
 * worker has taken it. The run itself learns of none of these before the activity ends. Pure.
 *
 * Invariants: 1. the run's own state of a step wins: a done, failed, skipped or held step is not changed; 2. the view is the same object if
 * nothing is known.
 */
export function withLiveProgress(view: RunView, works: readonly PendingActivity[]): RunView {
  const reported = new Map<StepView, Partial<StepView>>();
  for (const { address, progress, untaken } of works) {
    const at = view.steps.findIndex((step) => attemptId(step) === address);
    const step = view.steps[at];
    if (untaken && step?.state === 'running') reported.set(step, { waitingFor: 'a worker' });
    if (step === undefined || untaken || progress === undefined) continue;
    if (progress.kind === 'chain') chainTold(view.steps, at, progress, reported);
    else if (step.state === 'running') reported.set(step, { turn: progress.turn });
  }
  if (reported.size === 0) return view;
  return { ...view, steps: view.steps.map((step) => withTold(step, reported.get(step))) };
}

/** The address of a step's try in full, as its activity is named. */
export function attemptId({ address, round, try: number }: StepView): string {
  return `${address.replace(/[#~]\d+/g, '')}#${round}~${number}`;
}

type Chain = Extract<WorkProgress, { kind: 'chain' }>;

/** Steps of the chain before the running one are done or have failed, those after it have not begun. */
function chainTold(steps: readonly StepView[], at: number, { done, startedAt }: Chain, reported: Map<StepView, Partial<StepView>>): void {
  const step = steps[at];
  if (step === undefined || !isOpen(step)) return;
  reported.set(step, { state: 'running', ...defined({ startedAt }) });
  chained(steps.slice(0, at).reverse(), step).forEach((before, i) => {
    const { failed, ...times } = done.at(-1 - i) ?? {};
    reported.set(before, { state: failed ? 'failed' : 'done', ...times });
  });
  for (const behind of chained(steps.slice(at + 1), step)) reported.set(behind, { state: 'pending' });
}

/** A time that is the chain's and not the step's own is left out. A step that the run reports as running has begun when the run says. */
function withTold(step: StepView, reported: Partial<StepView> | undefined): StepView {
  if (reported === undefined) return step;
  if (reported.state === undefined || reported.state === step.state) return { ...reported, ...step };
  const { startedAt: _ofTheChain, ...rest } = step;
  return { ...rest, ...reported };
}

/** The neighbouring steps in its block that chain, as far as the run does not know how they ended. */
function chained(steps: readonly StepView[], of: StepView): StepView[] {
  const block = blockOf(of);
  const end = steps.findIndex((step) => !isOpen(step) || blockOf(step) !== block);
  return steps.slice(0, end === -1 ? undefined : end);
}

function isOpen({ kind, state }: StepView): boolean {
  return traitsOf(kind).chains === true && (state === 'running' || state === 'pending');
}

function blockOf({ address }: StepView): string {
  return address.slice(0, address.lastIndexOf('/') + 1);
}
