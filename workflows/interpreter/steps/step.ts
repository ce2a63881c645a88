import { defined } from '../../../plan/defined';
import { Cancelled } from '../../run-context';
import type { AttemptRecord, FailureRecord, WorkEnd } from '../context/attempt-log';
import { openContext } from '../context/open-context';
import { failureRecord } from '../context/scope-log';
import type { StepContext } from '../context/step-context';
import { approvalByInputs } from '../gates/covering-inputs';
import type { Interpreter } from '../interpreter';
import { beginTurn, isContainerPlace, isSuperseded, type Place } from '../scheduling/place';
import type { StartDecision } from '../scheduling/start-decision';
import { attemptOf, type StepRecord } from '../state/step-record';
import { afterFailure, afterWork, isDone } from './after-work';
import { authoriseStep, needsApprovalFirst } from './authorise';
import { begunInChain } from './chains';
import { hasPendingInputs, waitForPendingInputs } from './pending-inputs';
import { settle } from './settle';
import { applyOperatorAnswer, openNextTry } from './tries';
import { isoTime } from './work-times';

/**
 * Runs any step, whatever its kind: condition → tries → record. A try has two phases with a log each: the work, and what follows it
 * (`context/attempt-log.ts`). Each kind is one file.
 *
 * Invariants: 1. a step's coroutine can be started again from its record at any wait, in another execution: the code of its phase runs from
 * its top, and the log has the results of its calls; 2. finished work is not begun again in its try; 3. when the frame of a step has
 * closed, its coroutine ends at the next wait and changes nothing more.
 */
export function startStep(it: Interpreter, place: Place, decision: StartDecision): void {
  const record = it.run.record(place.path);
  if (!decision.start) {
    if (decision.compared !== undefined) record.compared = decision.compared;
    settle(it, place, 'skipped', decision.reason);
    return;
  }
  record.state = 'running';
  record.times = { ...record.times, startedAtMs: it.run.ctx.now() };
  const begunMs = begunInChain(record);
  const at = begunMs === undefined ? undefined : isoTime(begunMs);
  it.run.journal.add({ kind: 'step', step: it.run.name(place.path), state: 'running', ...defined({ at }) });
  it.changed();
  takeUpStep(it, place);
}

/** Continues a begun step from wherever its record says that it is. */
export function takeUpStep(it: Interpreter, place: Place): void {
  const turn = beginTurn(place);
  it.run.spawn(() => runTries(it, turn));
}

async function runTries(it: Interpreter, place: Place): Promise<void> {
  const { run } = it;
  for (;;) {
    const record = run.record(place.path);
    if (record.state === 'held') {
      while (!record.tries?.held?.answer) await run.sleepUntilWoken(`operator:${place.path}`, place.path);
      if (applyOperatorAnswer(it, place, record, record.tries.held.answer) === 'settled') return;
    }
    const attempt = attemptOf(record);
    const begins = attempt.work.length === 0;
    if (begins && attempt.startsAtMs !== undefined) await run.until(attempt.startsAtMs, place.path);
    try {
      if (!attempt.ended) {
        if (begins && needsApprovalFirst(it, place)) attempt.leave = true;
        const waitsForInputs = begins && hasPendingInputs(it, place);
        const ctx = openContext(it, place, attempt.work);
        // Most steps have nothing before their work, and pay for no promise.
        const asksFirst = waitsForInputs || attempt.asks || attempt.leave;
        const refused = asksFirst ? await before(it, place, record, attempt, waitsForInputs, ctx) : undefined;
        const end = refused ?? (await it.kinds.work(it, place, record, ctx)) ?? DONE;
        ctx.close();
        attempt.ended = noted(record, end);
      }
      if (!attempt.ended.failure) {
        if (isDone(place, record, attempt.ended)) {
          settle(it, place, attempt.ended.skipped ? 'skipped' : 'done', attempt.ended.reason, attempt.ended.atMs);
          return;
        }
        attempt.after ??= [];
        const ctx = openContext(it, place, attempt.after);
        if ((await afterWork(it, place, record, ctx, attempt.ended)) === 'settled') return;
        continue;
      }
    } catch (error) {
      if (isSuperseded(place)) throw new Cancelled();
      attempt.ended = noted(record, { failure: failureRecord(error) });
      delete attempt.after;
    }
    const { failure } = attempt.ended ?? {};
    if (!failure) continue;
    if (!attempt.after && (await triesAgain(it, place, record, failure))) continue;
    attempt.after ??= [];
    if ((await afterFailure(it, place, record, openContext(it, place, attempt.after), failure)) === 'settled') return;
  }
}

const DONE: Readonly<WorkEnd> = {};

/** What comes before the work: its inputs, and permission to do it. Returns a person's refusal. */
async function before(
  it: Interpreter,
  place: Place,
  record: StepRecord,
  attempt: AttemptRecord,
  waitsForInputs: boolean,
  ctx: StepContext,
): Promise<WorkEnd | undefined> {
  if (waitsForInputs) await waitForPendingInputs(it, place);
  const refused = attempt.asks && (await approvalByInputs(it, place, ctx, attempt.asks));
  if (refused || !attempt.leave) return refused;
  return authoriseStep(it, place, record, ctx);
}

function noted(record: StepRecord, end: WorkEnd): WorkEnd {
  if (end.failure) record.error = end.failure;
  return end;
}

async function triesAgain(it: Interpreter, place: Place, record: StepRecord, failure: FailureRecord): Promise<boolean> {
  const { run } = it;
  const lookedUp = isContainerPlace(place.step) ? it.cancelledWork.pendingWithin(place.path) : undefined;
  if (lookedUp) await run.parked(lookedUp);
  if (isSuperseded(place) || (run.ending && run.ending.kind !== 'continue' && lookedUp)) throw new Cancelled();
  return openNextTry(it, place, record, failure);
}
