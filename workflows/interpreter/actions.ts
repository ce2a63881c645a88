import type { Action } from '../../plan/action';
import type { ControlStep } from '../../plan/control';
import { unreachable } from '../../plan/unreachable';
import { type Cause, describeCause } from './cause';
import { escalate } from './escalation';
import type { Interpreter } from './interpreter';
import { notifyChannel } from './notices';
import { ERRORS_CHANNEL } from './policies';
import { sendBack } from './revisions';
import { type StepResult, settle } from './settle';

/**
 * Runs the actions of an `on_…` key in order until one decides. When none does, the cause's default decides: an error and
 * a rejection stop the run, a block goes up the escalation chain.
 */
export async function actOn(it: Interpreter, step: ControlStep, actions: readonly Action[], cause: Cause): Promise<StepResult> {
  for (const action of actions) {
    const result = await act(it, step, action, cause);
    if (result !== 'next') return result;
  }
  return cause.kind === 'block' ? escalate(it, step, it.run.plan.escalation ?? [{ kind: 'human' }], cause) : stop(it, step, cause);
}

async function act(it: Interpreter, step: ControlStep, action: Action, cause: Cause): Promise<StepResult | 'next'> {
  const { run } = it;
  // An open gate means that an earlier execution came this far and is waiting at an escalation further on.
  const resumed = run.record(step.id).gate !== undefined;
  if (resumed && action.kind !== 'escalate') return 'next';
  switch (action.kind) {
    case 'notify':
      notifyChannel(it, {
        step: step.id,
        channel: action.channel,
        message: `${run.plan.name}: ${describeCause(run.name(step.id), cause)}`,
      });
      return 'next';
    case 'retry': {
      const counter = `${step.id}:${cause.kind}`;
      const used = run.state.revisions[counter] ?? 0;
      if (used >= action.max) return 'next';
      run.state.revisions[counter] = used + 1;
      sendBack(it, step, action.step, { review: run.name(step.id), instructions: describeCause(run.name(step.id), cause) });
      return 'settled';
    }
    case 'escalate':
      return escalate(it, step, [action.to], cause);
    case 'stop':
      return stop(it, step, cause);
    case 'reject':
      run.end({ kind: 'rejected', step: run.name(step.id), reason: describeCause(run.name(step.id), cause) });
      return 'settled';
    case 'skip_rest':
      it.scheduler.skipRest();
      return goOn(it, step, cause);
    case 'continue':
    case 'approve':
      return goOn(it, step, cause);
    case 'skip':
      reportError(it, step, cause);
      return settle(it, step, 'skipped', describeCause(run.name(step.id), cause));
    case 'hold':
    case 'wait':
      return hold(it, step, cause);
    default:
      return unreachable(action);
  }
}

function stop(it: Interpreter, step: ControlStep, cause: Cause): StepResult {
  const { run } = it;
  const record = run.record(step.id);
  const name = run.name(step.id);
  record.endedAtMs = run.ctx.now();
  if (cause.kind === 'error') {
    record.state = 'failed';
    const { code, message } = cause.failure;
    run.journal.add({ kind: 'step', step: name, state: 'failed', error: { code, message } });
    run.end({ kind: 'failed', code, message, step: name });
  } else {
    record.state = 'done';
    run.end({ kind: 'rejected', reason: describeCause(name, cause), step: name });
  }
  return 'settled';
}

/** The run goes on past the step. */
function goOn(it: Interpreter, step: ControlStep, cause: Cause): StepResult {
  reportError(it, step, cause);
  return settle(it, step, cause.kind === 'error' ? 'failed' : 'done');
}

function hold(it: Interpreter, step: ControlStep, cause: Cause): StepResult {
  const { run } = it;
  reportError(it, step, cause);
  const record = run.record(step.id);
  record.state = 'held';
  const reason = describeCause(run.name(step.id), cause);
  record.heldFor = reason;
  run.journal.add({ kind: 'step', step: run.name(step.id), state: 'held', reason });
  it.scheduler.yielded(step, true);
  it.changed('gates');
  return 'again';
}

/** A model API error is reported once it has used up its retry, also where the run goes on (protocol.md point 10). */
function reportError(it: Interpreter, step: ControlStep, cause: Cause): void {
  if (cause.kind !== 'error' || cause.failure.code !== 'model.api-error') return;
  notifyChannel(it, {
    step: step.id,
    channel: ERRORS_CHANNEL,
    message: `${it.run.plan.name}: ${describeCause(it.run.name(step.id), cause)}`,
  });
}
