import type { Allowance } from '../../plan/budgets/budget';
import { defined } from '../../plan/defined';
import { PARENT_SIGNAL } from '../../plan/run/child';
import { bug, ThermidorFailure } from '../../plan/run/failure';
import type { RunInput } from '../../plan/run/run-input';
import { isSettled } from '../../plan/run/step-state';
import type { ChildStepInput } from '../../plan/steps/container-activities';
import { unreachable } from '../../plan/unreachable';
import { isBudgeted } from '../../workflows/interpreter/budget/accounts';
import { reserveForChild, reserveMoreForChild } from '../../workflows/interpreter/budget/child-budget';
import { settleStepBudget } from '../../workflows/interpreter/budget/settle-step';
import { pauseWithParent } from '../../workflows/interpreter/containers/child-commands';
import { childWakeKey, messagesToChild } from '../../workflows/interpreter/containers/child-runs';
import { composeOutput, compositionOf } from '../../workflows/interpreter/containers/compose';
import type { ChildRecord } from '../../workflows/interpreter/containers/container-record';
import { sendBeforeStart } from '../../workflows/interpreter/containers/run-messages';
import { type TimeLimit, timeLimitOf } from '../../workflows/interpreter/containers/time-limit';
import type { StepContext } from '../../workflows/interpreter/context/step-context';
import type { Interpreter, Perform } from '../../workflows/interpreter/interpreter';
import type { Run } from '../../workflows/interpreter/run';
import { isSuperseded, type PlaceOf } from '../../workflows/interpreter/scheduling/place';
import { childStateOf, openKindState } from '../../workflows/interpreter/state/kind-state';
import type { StepRecord } from '../../workflows/interpreter/state/step-record';
import { CHILD_CHECK_MS, QUICK_ACTIVITY_MS } from '../../workflows/interpreter/steps/activity-timeouts';
import { stepInput } from '../../workflows/interpreter/steps/step-input';
import { Cancelled } from '../../workflows/run-context';

/**
 * Another pipeline as a child workflow. Its gates are shown and answered here too; it says of them, and of its end, on the line.
 * A rejection in it rejects this run.
 */
export const performPipeline: Perform<'pipeline'> = async (it, place, record, ctx) => {
  const { run } = it;
  const { path } = place;
  // The child does not stop when its parent does not look: it needs no slot here.
  it.rest(place);
  const child = await startChild(it, place, record, ctx);
  const limit = timeLimitOf(it, place, ctx, childWakeKey(path));
  try {
    await ctx.loop('shares', null, async (turn) => {
      if (await turn.through('child', () => untilEndedOrShort(it, path, child, limit))) return { done: null };
      await reserveMoreForChild(it, place, record, turn, child).catch((error: unknown) => {
        if (error instanceof ThermidorFailure) giveUpChild(it, path, child, error.message);
        throw error;
      });
      return { next: null };
    });
  } finally {
    limit.close();
  }
  settleStepBudget(it, path);
  it.resume(place);
  const { ended } = child;
  if (!ended) throw bug(`the child of ${run.name(path)} has ended and left no record`);
  switch (ended.state) {
    case 'completed':
      await composeOutput(it, place, compositionOf(ended.output));
      return undefined;
    case 'rejected':
      return { rejectRun: ended.reason };
    case 'cancelled':
      throw new ThermidorFailure('child.failed', `child pipeline ${child.workflowId} was cancelled: ${ended.reason}`);
    case 'failed':
      throw new ThermidorFailure('child.failed', failureOf(it, child, ended), {
        child: child.workflowId,
        code: ended.code,
        ...defined({ reported: ended.reported }),
      });
    default:
      return unreachable(ended);
  }
};

/** Waits until the child has ended (true), or lacks something of its reservation. */
async function untilEndedOrShort(it: Interpreter, path: string, child: ChildRecord, limit: TimeLimit): Promise<boolean> {
  const { run } = it;
  while (!child.ended && !child.short) {
    const checkAt = run.ctx.now() + CHILD_CHECK_MS;
    const dueAt = Math.min(limit.dueMs ?? Number.POSITIVE_INFINITY, checkAt);
    if (!(await run.until(dueAt, path, childWakeKey(path))) || child.ended) continue;
    if (dueAt === limit.dueMs) {
      giveUpChild(it, path, child, 'it did not end within its time');
      throw new ThermidorFailure('step.timeout', `child pipeline ${child.workflowId} did not end within its time`);
    }
    await checkOn(it, path, child);
  }
  return child.ended !== undefined;
}

/** Nobody listens to it any more: it ends, and another try gets a share of its own. */
function giveUpChild(it: Interpreter, path: string, child: ChildRecord, reason: string): void {
  if (!child.ended) it.run.ctx.cancelChild(child.workflowId, reason);
  settleStepBudget(it, path);
}

/** A Lobster file fails with the failure in the file that it names. */
function failureOf({ run }: Interpreter, { workflowId }: ChildRecord, { code, message }: { code: string; message: string }): string {
  return run.plan.dialect === 'lobster' ? message : `child pipeline ${workflowId} failed: ${code}: ${message}`;
}

async function startChild(it: Interpreter, place: PlaceOf<'pipeline'>, record: StepRecord, ctx: StepContext): Promise<ChildRecord> {
  const { run } = it;
  const { path } = place;
  const address = run.address(path);
  // Somebody may give the run a budget while the child is in progress.
  const budgeted = ctx.once('budgeted', () => isBudgeted(run, place));
  const carried = record.carried?.child;
  const order: ChildStepInput = {
    ...stepInput(run, place),
    ...defined({ carried, budgeted: budgeted || undefined }),
  };
  const { workflowId } = await ctx.call('order', 'childInput', () => order, {
    address: `${address}/input`,
    startToCloseMs: QUICK_ACTIVITY_MS,
  });
  const kept = openKindState(record, 'pipeline');
  const budget = budgeted ? await reserveForChild(it, place, record, ctx) : undefined;
  // A child started in an earlier execution may have ended while nobody listened.
  const lookAfter = async () => (kept.child && !kept.child.ended ? checkOn(it, path, kept.child) : undefined);
  await ctx.begun('child', () => begin(it, place, kept, workflowId, budgeted ? (budget ?? {}) : undefined), lookAfter);
  if (!kept.child) throw bug(`the child of ${run.name(path)} has begun and left no record`);
  return kept.child;
}

/** `share`: its allowance, if anything is limited; it may not begin before it gets that. */
async function begin(
  it: Interpreter,
  place: PlaceOf<'pipeline'>,
  kept: { child?: ChildRecord },
  workflowId: string,
  share: Allowance | undefined,
): Promise<void> {
  const { run } = it;
  const { path } = place;
  if (share) await sendBeforeStart(run.ctx, workflowId, { kind: 'granted', amounts: share });
  // Its args were ready before the cancellation arrived, and nothing would cancel a child that starts now.
  if (isSuperseded(place)) throw new Cancelled();
  const child: ChildRecord = { workflowId, gates: [], line: { read: 0 } };
  kept.child = child;
  const input = orderedInput(run, run.address(path));
  const started = await run.ctx.startChild({ workflowId, workflowType: place.step.pipeline, input });
  hearFromNow(it, path, child, started.run);
  pauseWithParent(it, path, child);
  it.changed('gates');
  run.background(async () => {
    await started.closed;
    // Its last messages, if nobody was woken as it closed.
    const line = child.ended ? undefined : messagesToChild(it, path, child);
    if (line) await line.hear();
    noteLost(it, place, child);
  });
}

/** Its order is in this run's ledger. */
function orderedInput({ ctx: { info } }: Run, step: string): RunInput {
  return { parent: { workflowId: info.workflowId, run: info.firstRunId, step } };
}

function hearFromNow(it: Interpreter, path: string, child: ChildRecord, run: string): void {
  const { line } = child;
  line.run = run;
  if (line.woken) messagesToChild(it, path, child)?.woken();
  delete line.woken;
}

/** A child closes after its report; one that has not reported will not any more. */
function noteLost(it: Interpreter, { path }: PlaceOf<'pipeline'>, child: ChildRecord): void {
  if (child.ended) return;
  child.ended = { kind: 'ended', step: '', state: 'failed', code: 'child.lost', message: 'it ended without a message' };
  child.gates = [];
  const record = it.run.state.records[path];
  if (record && isSettled(record.state) && childStateOf(record) === child) settleStepBudget(it, path);
  it.run.wake(childWakeKey(path));
}

/** Reads a child's messages, and fails the step of one that is gone without a report. */
async function checkOn(it: Interpreter, path: string, child: ChildRecord): Promise<void> {
  const line = messagesToChild(it, path, child);
  if (line) await line.hear();
  if (child.ended) return;
  try {
    // It gets messages again that it may have missed.
    await it.run.ctx.signal(child.workflowId, PARENT_SIGNAL, {});
  } catch (error) {
    if (!(error instanceof ThermidorFailure)) throw error;
    if (line) await line.hear();
    if (child.ended) return;
    throw error;
  }
}
