import type { ControlStep } from '../../plan/control';
import { ThermidorFailure } from '../../plan/failure';
import { unreachable } from '../../plan/unreachable';
import { actOn } from './actions';
import type { Interpreter } from './interpreter';
import { performAgent } from './kinds/agent';
import { performApproval } from './kinds/approval';
import { performCommand } from './kinds/command';
import { performNotify } from './kinds/notify';
import { performWait } from './kinds/wait';
import { nextTry } from './retries';
import type { StartDecision } from './scheduler';
import { type StepResult, settle } from './settle';
import type { StepRecord } from './state';

/**
 * Runs any step, whatever its kind: condition → tries → `on_error` → record. Kinds are one file each.
 *
 * Invariants: 1. a step's coroutine can be started again from its record at any wait, in another execution, and goes on
 * from there; activities that have a result in the ledger are not done again. 2. A kind either settles its step, sends work
 * back, ends the run, or throws `ThermidorFailure`.
 */
export function startStep(it: Interpreter, step: ControlStep, decision: StartDecision): void {
  const record = it.run.record(step.id);
  if (!decision.start) {
    settle(it, step, 'skipped', decision.reason);
    return;
  }
  if (record.state === 'pending') {
    record.state = 'running';
    record.startedAtMs = it.run.ctx.now();
    it.run.journal.add({ kind: 'step', step: it.run.name(step.id), state: 'running' });
    it.changed();
  }
  it.run.spawn(() => runTries(it, step));
}

async function runTries(it: Interpreter, step: ControlStep): Promise<void> {
  const { run } = it;
  for (;;) {
    const record = run.record(step.id);
    if (record.state === 'held' && (await operatorsAnswer(it, step, record)) === 'settled') return;
    if (step.kind !== 'wait' && record.resumeAtMs !== undefined) {
      await run.until(record.resumeAtMs);
      delete record.resumeAtMs;
    }
    let failure = escalatedFailure(record);
    try {
      if (!failure && (await perform(it, step, record)) === 'settled') return;
    } catch (error) {
      failure = failureOf(record, error);
    }
    if (!failure) continue;
    if (!record.gate && openNextTry(it, step, record, failure)) continue;
    const actions = failure.code.startsWith('reply.') && 'onInvalid' in step && step.onInvalid ? step.onInvalid : step.onError;
    if ((await actOn(it, step, actions ?? [], { kind: 'error', failure })) === 'settled') return;
  }
}

/** A failure that an earlier execution took to a person, who has not answered yet. */
function escalatedFailure(record: StepRecord): ThermidorFailure | undefined {
  if (!record.gate || !record.error) return undefined;
  return new ThermidorFailure(record.error.code, record.error.message, record.error.details);
}

/** A step's failure, recorded; anything else that is thrown is thrown on. */
function failureOf(record: StepRecord, error: unknown): ThermidorFailure {
  if (!(error instanceof ThermidorFailure)) throw error;
  record.error = { code: error.code, message: error.message, ...(error.details === undefined ? {} : { details: error.details }) };
  return error;
}

function openNextTry(it: Interpreter, step: ControlStep, record: StepRecord, failure: ThermidorFailure): boolean {
  const { run } = it;
  const again = nextTry(run, step, record, failure);
  if (!again) return false;
  const error = { code: failure.code, message: failure.message };
  run.journal.add({ kind: 'step', step: run.name(step.id), state: 'running', reason: `try ${record.try + 1} follows`, error });
  record.try += 1;
  record.note = again.note;
  if (again.delayMs > 0) record.resumeAtMs = run.ctx.now() + again.delayMs;
  it.changed();
  return true;
}

function perform(it: Interpreter, step: ControlStep, record: StepRecord): Promise<StepResult> {
  switch (step.kind) {
    case 'agent':
    case 'review':
      return performAgent(it, step, record);
    case 'command':
      return performCommand(it, step, record);
    case 'approval':
      return performApproval(it, step, record);
    case 'notify':
      return performNotify(it, step, record);
    case 'wait':
      return performWait(it, step, record);
    default:
      return unreachable(step);
  }
}

async function operatorsAnswer(it: Interpreter, step: ControlStep, record: StepRecord): Promise<StepResult> {
  const { run } = it;
  while (!record.operator) await run.sleepUntilWoken(`operator:${step.id}`);
  const answer = record.operator;
  delete record.operator;
  if (answer.kind === 'skip') {
    settle(it, step, 'skipped', answer.reason ?? `skipped by ${answer.by ?? 'an operator'}`);
    it.changed('gates');
    return 'settled';
  }
  record.state = 'running';
  record.try += 1;
  delete record.spent;
  delete record.heldFor;
  delete record.artifact;
  delete record.values;
  delete record.verdict;
  record.note = { reason: 'operator', message: 'an operator asked for another try' };
  it.scheduler.yielded(step, false);
  it.changed('gates');
  return 'again';
}
