import { type CalledEnd, ISSUE_DOCUMENT } from '../../../plan/patterns/called';
import { RETRIES_PER_STEP } from '../../../plan/plan';
import { bug } from '../../../plan/run/failure';
import { isSettled } from '../../../plan/run/step-state';
import { actionsIn } from '../../../plan/steps/action';
import type { Json } from '../../../plan/text/json';
import type { ExhaustedCause } from '../context/attempt-log';
import type { StepContext } from '../context/step-context';
import type { Interpreter } from '../interpreter';
import { stored } from '../patterns/parts';
import { callKey } from '../scheduling/calls';
import type { Frame, Place } from '../scheduling/place';
import { calledEndOf } from '../state/kind-state';
import { type ActionCause, describeCause } from './action-cause';
import { sendBackWith } from './escalation';
import { settledWakeKey } from './pending-inputs';
import { beginNextRound } from './revisions';
import type { StepResult } from './step-result';

/**
 * An action calls a step of its block, or of an enclosing one, which runs only when called (`escalate(id)`, `swarm(id)`). The step gets the
 * action's cause as its issue; the caller waits for it.
 *
 * Invariants: 1. a called step runs for one caller at a time, the others wait for their turn; each call is a round of it; 2. a solution of
 * the issue sends the work back with it; 3. without a solution, the next action decides; 4. a step may call as often as it may be sent
 * back.
 */
export async function callStep(
  it: Interpreter,
  place: Place,
  ctx: StepContext,
  step: string,
  cause: ActionCause,
): Promise<{ result: StepResult } | { rootCause: ExhaustedCause; follows: Place } | 'next'> {
  const { run } = it;
  const called = placeOf(it, place, step);
  if (ctx.once(`may-call:${step}`, () => isUsedUp(it, place))) return 'next';
  const issue = await stored(it, place, ctx, `issue-${step}`, () => issueOf(it, place, cause));
  ctx.once(`waits:${step}`, () => {
    run.record(place.path).state = 'waiting';
    noteCall(it, place, step, cause);
    it.rest(place);
    it.changed('gates');
  });
  const sleeper = settledWakeKey(called.path);
  const round = await ctx.awaited(`turn:${step}`, { sleeper }, () => {
    const { state, brief } = run.record(called.path);
    const isFree = state === 'pending' || (isSettled(state) && brief?.calledBy === undefined);
    return isFree ? begin(it, called, place, { [ISSUE_DOCUMENT]: issue }) : undefined;
  });
  const end = await ctx.awaited(callKey(step), { sleeper }, () => takeEnd(it, called, place));
  ctx.once(`back:${step}`, () => {
    run.record(place.path).state = 'running';
    it.resume(place);
    it.changed('gates');
  });
  if (round === undefined || !end || end.outcome === undefined) return 'next';
  const { outcome, by, solution, rootCause } = end;
  const name = run.name(called.path);
  if (outcome === 'root_cause')
    return {
      rootCause: { kind: 'exhausted', message: `${name}, root cause found by ${by ?? 'a level'}: ${rootCause ?? ''}`, list: 'onRootCause' },
      follows: called,
    };
  if (outcome === 'overruled')
    return { result: sendBackWith(it, place, cause, `${name} has no solution, and ${by ?? 'a person'} lets it pass`) };
  const how = outcome === 'workaround' ? `${name} has no solution, only a workaround` : `${name}, solved by ${by ?? 'a level'}`;
  return { result: sendBackWith(it, place, cause, `${how}: ${solution ?? ''}`) };
}

function placeOf({ run }: Interpreter, { frame, path }: Place, step: string): Place {
  for (let around: Frame | undefined = frame; around; around = around.container?.frame) {
    const found = around.places.find((place) => place.step.id === step);
    if (found) return found;
  }
  throw bug(`${run.name(path)} calls "${step}", which is in no block around it`);
}

function isUsedUp({ run }: Interpreter, { path }: Place): boolean {
  const counter = `${path}:calls`;
  const used = run.state.revisions[counter] ?? 0;
  if (used >= RETRIES_PER_STEP) return true;
  run.state.revisions[counter] = used + 1;
  return false;
}

/** Without it the journal does not say why the caller failed. */
function noteCall({ run }: Interpreter, { path }: Place, called: string, cause: ActionCause): void {
  const name = run.name(path);
  const said = cause.kind === 'error' ? { error: { code: cause.failure.code, message: cause.failure.message } } : {};
  const reason = cause.kind === 'error' ? `calls ${called}` : `calls ${called}: ${describeCause(name, cause)}`;
  run.journal.add({ kind: 'step', step: name, state: 'waiting', reason, ...said });
}

/** The issue as the called step reads it. */
function issueOf({ run }: Interpreter, { path }: Place, cause: ActionCause): Json {
  const name = run.name(path);
  return {
    step: name,
    reason: describeCause(name, cause),
    ...(cause.kind === 'error' ? { code: cause.failure.code, message: cause.failure.message } : {}),
  };
}

/** Begins its next round on behalf of the caller. A call that was cancelled with its container is not continued: this is another issue. */
function begin(it: Interpreter, called: Place, { path: caller }: Place, given: Record<string, Awaited<ReturnType<typeof stored>>>): number {
  const { run } = it;
  const { state, kept } = run.record(called.path);
  if (state !== 'pending' || kept) {
    beginNextRound(it, called, { review: run.name(caller) });
    it.scheduler(called).restarted([called]);
  }
  const record = run.record(called.path);
  record.brief = { ...record.brief, calledBy: caller, given };
  it.scheduler(called).call(called);
  return record.round;
}

/** How it ended. Taking the end frees it for other callers. */
function takeEnd({ run }: Interpreter, called: Place, { path: caller }: Place): TakenEnd | undefined {
  const record = run.record(called.path);
  if (record.brief?.calledBy !== caller || !isSettled(record.state)) return undefined;
  const { calledBy: _taken, letPassBy, ...brief } = record.brief;
  record.brief = brief;
  run.wake(settledWakeKey(called.path));
  if (letPassBy !== undefined) return { outcome: 'overruled', by: letPassBy };
  return record.state === 'done' ? (calledEndOf(record) ?? {}) : {};
}

/** Empty if its end does not help the caller. */
type TakenEnd = Omit<CalledEnd, 'outcome'> & { outcome?: CalledEnd['outcome'] | 'overruled' };

/** The actions that follow a root cause, of the step that has found it. */
export function afterRootCause({ step }: Place) {
  return actionsIn(step, 'onRootCause') ?? [];
}
