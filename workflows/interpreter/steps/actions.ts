import { defined } from '../../../plan/defined';
import type { Action, Retry } from '../../../plan/steps/action';
import { unreachable } from '../../../plan/unreachable';
import type { FailureRecord } from '../context/attempt-log';
import type { StepContext } from '../context/step-context';
import type { Interpreter } from '../interpreter';
import { returnToAuthors } from '../merging/return-to-authors';
import { notifyChannel } from '../messages/notification-outbox';
import { rejectRun } from '../reject-run';
import type { Place } from '../scheduling/place';
import { type ActionCause, describeCause } from './action-cause';
import { ERRORS_CHANNEL } from './activity-timeouts';
import { afterRootCause, callStep } from './called-step';
import { escalate } from './escalation';
import { reviseTarget, sendForRevision } from './revisions';
import { settle } from './settle';
import type { StepResult } from './step-result';

/**
 * Like `firstDecision`; if no action decides, the cause's default does: an error and a rejection stop the run, a block goes up the
 * escalation chain.
 */
export async function actOn(
  it: Interpreter,
  place: Place,
  ctx: StepContext,
  actions: readonly Action[],
  cause: ActionCause,
): Promise<StepResult> {
  const result = await firstDecision(it, place, ctx, actions, cause);
  if (result !== 'next') return result;
  return cause.kind === 'block' ? escalate(it, place, ctx, it.run.plan.escalation ?? [{ kind: 'human' }], cause) : stop(it, place, cause);
}

/** Runs the actions of an `on_…` key in order until one decides; `next` if none does. */
export async function firstDecision(
  it: Interpreter,
  place: Place,
  ctx: StepContext,
  actions: readonly Action[],
  cause: ActionCause,
): Promise<StepResult | 'next'> {
  for (const [i, action] of actions.entries()) {
    const result = await act(it, place, ctx, action, cause, i);
    if (result !== 'next') return result;
  }
  return 'next';
}

async function act(
  it: Interpreter,
  place: Place,
  ctx: StepContext,
  action: Action,
  cause: ActionCause,
  i: number,
): Promise<StepResult | 'next'> {
  const { run } = it;
  switch (action.kind) {
    case 'notify':
      ctx.once(`notify-${i}`, () =>
        notifyChannel(it, {
          path: place.path,
          channel: action.channel,
          message: `${run.plan.name}: ${describeCause(run.name(place.path), cause)}`,
        }),
      );
      return 'next';
    case 'retry': {
      const used = retriesUsed(it, place, cause.kind);
      if (ctx.once(`retry-${i}`, () => used >= action.max)) return 'next';
      run.state.revisions[retryCounter(place, cause.kind)] = used + 1;
      return sendBack(it, place, action, cause);
    }
    case 'return_to_author':
      return cause.kind === 'returned' ? returnToAuthors(it, place, ctx, cause, action.max) : 'next';
    case 'call': {
      const called = await callStep(it, place, ctx, action.step, cause);
      if (called === 'next') return 'next';
      return 'result' in called ? called.result : firstDecision(it, place, ctx, afterRootCause(called.follows), called.rootCause);
    }
    case 'escalate':
      return escalate(it, place, ctx, [action.to], cause);
    case 'stop':
      return stop(it, place, cause);
    case 'reject':
      return rejectRun(it, place, describeCause(run.name(place.path), cause));
    case 'skip_rest':
      it.scheduler(place).skipRest();
      return continuePast(it, place, cause);
    case 'continue':
    case 'approve':
      return continuePast(it, place, cause);
    case 'skip':
      reportError(it, place, cause);
      return settle(it, place, 'skipped', describeCause(run.name(place.path), cause));
    case 'hold':
    case 'wait':
      return hold(it, place, cause);
    default:
      return unreachable(action);
  }
}

/** How often a step has sent work back for this cause. */
export function retriesUsed(it: Interpreter, place: Place, cause: ActionCause['kind']): number {
  return it.run.state.revisions[retryCounter(place, cause)] ?? 0;
}

function retryCounter({ path }: Place, cause: ActionCause['kind']): string {
  return `${path}:${cause}`;
}

/**
 * A reviewer may name another step than the pipeline does, and the report says what to do; otherwise the cause says it, together with the
 * report if there is one.
 */
function sendBack(it: Interpreter, place: Place, { step }: Retry, cause: ActionCause): StepResult {
  const review = it.run.name(place.path);
  const isVerdict = cause.kind === 'revise';
  const target = isVerdict ? reviseTarget(place, cause.verdict, step) : step;
  const report = 'verdict' in cause || cause.kind === 'exhausted' ? defined({ report: it.run.record(place.path).output?.artifact }) : {};
  return sendForRevision(it, place, target, {
    review,
    ...report,
    ...defined({ instructions: isVerdict ? undefined : describeCause(review, cause) }),
  });
}

/** An error ends the block, a rejection the run. */
function stop(it: Interpreter, place: Place, cause: ActionCause): StepResult {
  const { run } = it;
  const record = run.record(place.path);
  const name = run.name(place.path);
  if (cause.kind === 'exhausted') {
    const failure: FailureRecord = { code: cause.code ?? 'repeat.exhausted', message: cause.message };
    record.error = failure;
    return stop(it, place, { kind: 'error', failure });
  }
  if (cause.kind !== 'error') return rejectRun(it, place, describeCause(name, cause));
  const open = it.frames.get(place.frame);
  if (!open) return 'settled';
  if (place.step.onCall || place.frame.kind === 'branches' || place.frame.kind === 'parts' || place.frame.kind === 'finally') {
    if (place.frame.kind === 'finally') reportToErrors(it, place, cause);
    return settle(it, place, 'failed');
  }
  record.times = { ...record.times, endedAtMs: run.ctx.now() };
  record.state = 'failed';
  it.slots.give(place.path);
  const { code, message } = cause.failure;
  run.journal.add({ kind: 'step', step: name, state: 'failed', error: { code, message } });
  open.owner.stopped(place, cause.failure);
  return 'settled';
}

/** The run continues past the step. */
function continuePast(it: Interpreter, place: Place, cause: ActionCause): StepResult {
  reportError(it, place, cause);
  if (cause.kind !== 'error') return settle(it, place, 'done');
  const { error } = it.run.record(place.path);
  if (error) error.tolerated = true;
  return settle(it, place, 'failed');
}

function hold(it: Interpreter, place: Place, cause: ActionCause): StepResult {
  const { run } = it;
  reportError(it, place, cause);
  const record = run.record(place.path);
  record.state = 'held';
  const reason = describeCause(run.name(place.path), cause);
  record.tries = { ...record.tries, held: { reason, atMs: run.ctx.now() } };
  run.journal.add({
    kind: 'step',
    step: run.name(place.path),
    state: 'held',
    reason,
    ...defined({ error: cause.kind === 'error' ? { code: cause.failure.code, message: cause.failure.message } : undefined }),
  });
  it.rest(place);
  it.changed('gates');
  return 'again';
}

/** A model API error is reported once its retry is used up, even if the run continues (docs/protocol.md, 4.8). */
function reportError(it: Interpreter, place: Place, cause: ActionCause): void {
  if (cause.kind === 'error' && cause.failure.code === 'model.api-error') reportToErrors(it, place, cause);
}

/** Reports branches that failed with such an error while the step around them continues without them. */
export function reportBranches(it: Interpreter, branches: readonly Place[]): void {
  for (const place of branches) {
    const { state, error } = it.run.state.records[place.path] ?? {};
    if (state !== 'failed' || error?.tolerated || error?.code !== 'model.api-error') continue;
    reportToErrors(it, place, { kind: 'error', failure: error });
  }
}

function reportToErrors(it: Interpreter, place: Place, cause: ActionCause): void {
  const message = `${it.run.plan.name}: ${describeCause(it.run.name(place.path), cause)}`;
  notifyChannel(it, { path: place.path, channel: ERRORS_CHANNEL, message });
}
