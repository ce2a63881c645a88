import { PARENT_SIGNAL } from '../../../plan/child';
import type { RunInput } from '../../../plan/contract';
import { ThermidorFailure } from '../../../plan/failure';
import { unreachable } from '../../../plan/unreachable';
import { Cancelled } from '../../run-context';
import { isBudgeted } from '../budget/accounts';
import { reserveForChild, reserveMore, settleChild } from '../budget/of-child';
import { childSleeper } from '../containers/children';
import { composeOutput } from '../containers/compose';
import type { ChildRecord } from '../containers/container-record';
import { pauseWithParent } from '../containers/word-to-children';
import { finish } from '../finish';
import type { Interpreter } from '../interpreter';
import { isOver, type PlaceOf } from '../place';
import { CHILD_CHECK_MS, QUICK_MS } from '../policies';
import { rejectRun } from '../reject-run';
import type { StepResult } from '../settle';
import type { StepRecord } from '../state/record';
import { stepInput } from '../step-input';

/**
 * Another pipeline as a child workflow. Its gates are shown and answered here too; it tells of them, and of its end, by signal.
 * A rejection in it rejects this run.
 */
export async function performPipeline(it: Interpreter, place: PlaceOf<'pipeline'>, record: StepRecord): Promise<StepResult> {
  const { run } = it;
  const { step, path } = place;
  // The child does not stop when its parent does not look: it needs no slot here.
  it.rest(place);
  const child = await startChild(it, place, record);
  if (step.timeoutMs !== undefined) record.deadlineMs ??= run.ctx.now() + step.timeoutMs;
  while (!child.ended) {
    if (child.short) {
      await reserveMore(it, place, record, child).catch((error: unknown) => {
        if (error instanceof ThermidorFailure) giveUpChild(it, place, record, child);
        throw error;
      });
      continue;
    }
    const checkAt = run.ctx.now() + CHILD_CHECK_MS;
    const dueAt = Math.min(record.deadlineMs ?? Number.POSITIVE_INFINITY, checkAt);
    if (!(await run.until(dueAt, path, childSleeper(path))) || child.ended) continue;
    if (dueAt === record.deadlineMs) {
      giveUpChild(it, place, record, child);
      throw new ThermidorFailure('step.timeout', `child pipeline ${child.workflowId} did not end within its time`);
    }
    await checkOn(it, child);
  }
  settleChild(it, place, record, child);
  it.resume(place);
  const { ended } = child;
  switch (ended.state) {
    case 'completed':
      await composeOutput(
        it,
        place,
        'artifact' in ended.output ? { kind: 'artifact', ...ended.output } : { kind: 'value', ...ended.output },
      );
      return finish(it, place);
    case 'rejected':
      return rejectRun(it, place, ended.reason);
    case 'cancelled':
      throw new ThermidorFailure('child.failed', `child pipeline ${child.workflowId} was cancelled: ${ended.reason}`);
    case 'failed':
      throw new ThermidorFailure('child.failed', failureOf(it, child, ended), {
        child: child.workflowId,
        code: ended.code,
        ...(ended.told ? { told: true } : {}),
      });
    default:
      return unreachable(ended);
  }
}

/** Nobody listens to it any more: it ends, and another try gets a share of its own. */
function giveUpChild(it: Interpreter, place: PlaceOf<'pipeline'>, record: StepRecord, child: ChildRecord): void {
  if (!child.ended) it.run.ctx.cancelChild(child.workflowId);
  settleChild(it, place, record, child);
}

/** A Lobster file fails with what failed in the file that it names. */
function failureOf({ run }: Interpreter, { workflowId }: ChildRecord, { code, message }: { code: string; message: string }): string {
  return run.plan.dialect === 'lobster' ? message : `child pipeline ${workflowId} failed: ${code}: ${message}`;
}

async function startChild(it: Interpreter, place: PlaceOf<'pipeline'>, record: StepRecord): Promise<ChildRecord> {
  const { run } = it;
  const { step, path } = place;
  if (record.child) {
    // An earlier execution started it: it may have ended while nobody listened.
    if (!record.child.ended) await checkOn(it, record.child);
    return record.child;
  }
  const address = run.address(path);
  const { plan, args, script } = await run.activity(place, 'childInput', stepInput(run, place), {
    address: `${address}/input`,
    startToCloseMs: QUICK_MS,
  });
  const budget = isBudgeted(run, place) ? await reserveForChild(it, place, record) : undefined;
  // Its args were there before it heard that it is called off: nobody would call off what begins now.
  if (isOver(place) && run.ctx.patched('called-off-begins-nothing')) throw new Cancelled();
  const workflowId = childId(run.ctx.info.workflowId, address);
  const child: ChildRecord = { workflowId, gates: [] };
  record.child = child;
  const input: RunInput = {
    pipeline: step.pipeline,
    plan,
    args,
    parent: { workflowId: run.ctx.info.workflowId, step: address, ...(run.parent ? { parent: run.parent } : {}) },
    ...(script ? { script } : {}),
    ...(budget ? { budget } : {}),
    ...(record.carried?.child ? { carried: record.carried.child } : {}),
    ...(run.opened.startedBy === undefined ? {} : { startedBy: run.opened.startedBy }),
  };
  const { closed } = await run.ctx.startChild({ workflowId, workflowType: step.pipeline, input });
  pauseWithParent(run, child);
  it.changed('gates');
  run.background(async () => {
    await closed;
    noteLost(it, place, child);
  });
  return child;
}

/** A child closes after it has told; one that has not will not any more. */
function noteLost(it: Interpreter, { path }: PlaceOf<'pipeline'>, child: ChildRecord): void {
  if (child.ended) return;
  child.ended = { kind: 'ended', step: '', state: 'failed', code: 'child.lost', message: 'it ended without a word' };
  child.gates = [];
  it.run.wake(childSleeper(path));
}

/** Asks a child to say again where it is; one that is gone fails its step. */
async function checkOn(it: Interpreter, child: ChildRecord): Promise<void> {
  const { ctx } = it.run;
  try {
    await ctx.signal(child.workflowId, PARENT_SIGNAL, { kind: 'report' });
  } catch (error) {
    if (!(error instanceof ThermidorFailure)) throw error;
    if (child.ended) return;
    throw error;
  }
}

/** `run-id.deploy`, `run-id.tests@3.ask.r2`: one child for each address. */
function childId(run: string, address: string): string {
  const [path = '', more = ''] = address.split('#');
  const [round, again] = more.split('~');
  const marks = `${round === '1' ? '' : `.r${round}`}${again === '1' ? '' : `.t${again}`}`;
  return `${run}.${path.replaceAll('/', '.').replace(/\[(\d+)\]/g, '@$1')}${marks}`;
}
