import type { FailureCode } from '../../../plan/run/failure';
import type { FailureRecord } from '../context/attempt-log';
import type { Interpreter } from '../interpreter';
import type { Place } from '../scheduling/place';
import { forgetOutput } from '../state/forget';
import { type OperatorAnswer, type StepRecord, withoutHold } from '../state/step-record';
import { isUnknown } from './after-work';
import { openTry } from './open-try';
import { nextTry } from './retries';
import { settle } from './settle';
import type { StepResult } from './step-result';

/** How one try of a step ends and the next begins. */

/** Whether another try automatically follows a failed one. */
export function openNextTry(it: Interpreter, place: Place, record: StepRecord, failure: FailureRecord): boolean {
  const { run } = it;
  const again = isUnknown(failure.code) || isFinal(failure.code) ? undefined : nextTry(run, place, record, failure);
  if (!again) return false;
  const error = { code: failure.code, message: failure.message };
  run.journal.add({ kind: 'step', step: run.name(place.path), state: 'running', reason: `try ${record.try + 1} follows`, error });
  openTry(it, place, record, again.note.reason === 'api_error');
  record.tries = { ...record.tries, note: again.note };
  if (again.delayMs > 0) record.attempt = { work: [], ...record.attempt, startsAtMs: run.ctx.now() + again.delayMs };
  it.changed();
  return true;
}

/** Another try would end in the same way: the program stays another one, and what a brief has come to is kept. */
function isFinal(code: FailureCode): boolean {
  return code === 'step.program-changed' || code === 'brief.stopped' || code === 'brief.no-plan';
}

/** Applies an operator's answer for a held step. */
export function applyOperatorAnswer(it: Interpreter, place: Place, record: StepRecord, answer: OperatorAnswer): StepResult {
  record.tries = withoutHold(record.tries);
  if (answer.kind === 'skip') {
    settle(it, place, 'skipped', answer.reason ?? `skipped by ${answer.by ?? 'an operator'}`);
    it.changed('gates');
    return 'settled';
  }
  record.state = 'running';
  openTry(it, place, record, false);
  forgetOutput(record);
  record.tries = { note: { reason: 'operator', message: 'an operator asked for another try' } };
  it.resume(place);
  it.changed('gates');
  return 'again';
}
