import { defined } from '../../../plan/defined';
import type { ThermidorFailure } from '../../../plan/run/failure';
import { settleStepBudget } from '../budget/settle-step';
import { resumeInnerSteps } from '../containers/inner-steps';
import { type AttemptRecord, ownAgent } from '../context/attempt-log';
import type { Interpreter } from '../interpreter';
import type { Place } from '../scheduling/place';
import { kindStateAfter, kindStateOf } from '../state/kind-state';
import { type OperatorAnswer, type StepRecord, withoutHold } from '../state/step-record';
import { isUnknown } from './after-work';
import { nextTry } from './retries';
import { type StepResult, settle } from './settle';

/** How one try of a step ends and the next begins. */

/** Whether another try follows one that has failed, of its own accord. */
export function openNextTry(it: Interpreter, place: Place, record: StepRecord, failure: ThermidorFailure): boolean {
  const { run } = it;
  const again = isUnknown(failure.code) || failure.code === 'step.program-changed' ? undefined : nextTry(run, place, record, failure);
  if (!again) return false;
  const error = { code: failure.code, message: failure.message };
  run.journal.add({ kind: 'step', step: run.name(place.path), state: 'running', reason: `try ${record.try + 1} follows`, error });
  openTry(it, place, record, again.note.reason === 'api_error');
  record.tries = { ...record.tries, note: again.note };
  if (again.delayMs > 0) record.attempt = { work: [], ...record.attempt, startsAtMs: run.ctx.now() + again.delayMs };
  it.changed();
  return true;
}

/** Takes up what an operator has said of a step that is held. */
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

/**
 * What an earlier try left is no part of the next, but for what a container has done already, and, where an error of the service broke an
 * agent off that continues in the same transcript (`goesOn`), its children.
 */
function openTry(it: Interpreter, place: Place, record: StepRecord, goesOn: boolean): void {
  record.try += 1;
  // A wait that is tried again has begun to run, as any other step.
  if (record.state === 'waiting') record.state = 'running';
  const { asked, brief } = record;
  const adopted = leftToAgent(record, goesOn);
  const asks = brief?.replaced?.asks ?? [];
  settleStepBudget(it, place.path);
  const kept = kindStateAfter('try', record);
  delete record.kept;
  if (kept) record.kept = kept;
  if (asked) record.asked = defined({ subject: asked.subject, places: asked.places });
  record.attempt = {
    work: [],
    ...(asks.length > 0 && place.step.category === undefined ? { asks } : {}),
    ...defined({ adopted }),
  };
  resumeInnerSteps(it, place);
}

/** Requests that the run has taken up count for every try of a round. */
function leftToAgent(record: StepRecord, goesOn: boolean): AttemptRecord['adopted'] {
  const { spawned, runRequests } = ownAgent(record)?.keeps ?? record.attempt?.adopted ?? {};
  return { ...(goesOn && spawned ? { spawned } : {}), ...defined({ runRequests }) };
}

/** The round of a step that had failed has not ended after all. */
export function reopenRound(record: StepRecord): void {
  clearTolerated(record);
  delete record.endedAtMs;
}

/** That it failed is not what the others continue past. */
export function clearTolerated({ error }: StepRecord): void {
  if (error) delete error.tolerated;
}

function forgetOutput(record: StepRecord): void {
  delete record.artifact;
  delete record.values;
  const kept = kindStateOf(record, 'review');
  if (kept) delete kept.verdict;
}
