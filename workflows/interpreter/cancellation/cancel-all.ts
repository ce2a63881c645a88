import { unreachable } from '../../../plan/unreachable';
import { settleStepBudget } from '../budget/settle-step';
import { endChildren } from '../containers/child-runs';
import { keepCompletedChildren } from '../containers/completed-children';
import { closeGate } from '../gates/gates';
import type { Interpreter } from '../interpreter';
import type { Run } from '../run';
import type { RunEnding } from '../run-ending';
import { CANCEL_WAIT_MS } from '../steps/activity-timeouts';
import { pendingWork } from './recover-results';

/** Cancels all that a run has in progress, children first, waits a while for it to stop, and looks up what of it is done. */
export async function cancelAllWork(it: Interpreter, ending: RunEnding): Promise<void> {
  const { run } = it;
  it.cancelledWork.keep(pendingWork(run, () => true));
  await withinMs(run, CANCEL_WAIT_MS, Promise.all([run.ctx.cancelActivities(), endChildren(it, whyOver(run, ending))]));
  for (const [path] of run.index.live(run.state.records)) settleStepBudget(it, path);
  await it.cancelledWork.lookUp();
  await keepCompletedChildren(it);
  closeWhatIsOpen(it);
}

/** What children hear of the end of their parent. A cancelled child has the reason that all of them have. */
function whyOver({ ctx }: Run, ending: RunEnding): string | undefined {
  switch (ending.kind) {
    case 'cancelled':
      return ending.reason;
    case 'rejected':
      return `${ctx.info.workflowId} was rejected: ${ending.reason}`;
    case 'failed':
      return `${ctx.info.workflowId} failed: ${ending.message}`;
    case 'completed':
      return undefined;
    default:
      return unreachable(ending);
  }
}

/** Gates that nobody needs to answer any more, and steps that were cancelled. */
function closeWhatIsOpen({ run, slots }: Interpreter): void {
  // Also a gate whose answer came too late to be taken up.
  for (const [path, { asked }] of Object.entries(run.state.records)) if (asked?.gate) closeGate(run, path, 'ended');
  for (const [path, record] of Object.entries(run.state.records)) {
    if (record.state !== 'running' && record.state !== 'waiting' && record.state !== 'held') continue;
    record.state = 'skipped';
    slots.give(path);
    record.times = { ...record.times, endedAtMs: run.ctx.now() };
    run.journal.add({ kind: 'step', step: run.name(path), state: 'skipped', reason: 'cancelled: the run ended' });
  }
}

/** Waits for something, but not forever. */
export async function withinMs(run: Run, ms: number, work: Promise<unknown>): Promise<void> {
  const patience = run.ctx.timer(ms);
  await Promise.race([work, patience.promise]);
  patience.cancel();
}
