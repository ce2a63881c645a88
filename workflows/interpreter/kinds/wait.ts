import { evaluate } from '../../../plan/evaluate';
import { ThermidorFailure } from '../../../plan/failure';
import type { Json } from '../../../plan/json';
import { composeOutput } from '../containers/compose';
import type { Interpreter } from '../interpreter';
import { signalSleeper, takeSignal } from '../orders/signals';
import type { PlaceOf } from '../place';
import { controlScope } from '../scope';
import { type StepResult, settle } from '../settle';
import type { StepRecord } from '../state/record';

/** Waits a while, until a moment, or for a signal. The moment is kept in state, so that continue-as-new does not start it anew. */
export async function performWait(it: Interpreter, place: PlaceOf<'wait'>, record: StepRecord): Promise<StepResult> {
  const { run } = it;
  const { step, path } = place;
  if (step.signal !== undefined) return waitForSignal(it, place, step.signal, record);
  record.resumeAtMs ??= step.until ? momentOf(evaluate(step.until, controlScope(run, place.frame))) : run.ctx.now() + (step.forMs ?? 0);
  if (step.timeoutMs !== undefined) record.deadlineMs ??= run.ctx.now() + step.timeoutMs;
  record.state = 'waiting';
  it.rest(place);
  const { resumeAtMs, deadlineMs = resumeAtMs } = record;
  await run.until(Math.min(resumeAtMs, deadlineMs), path);
  if (deadlineMs < resumeAtMs) throw new ThermidorFailure('step.timeout', `${run.name(path)} was to wait beyond its time-out`);
  return settle(it, place, 'done');
}

/** ISO 8601 text, or milliseconds since the epoch. A moment that has passed is no wait. */
function momentOf(value: Json): number {
  const ms = typeof value === 'string' ? Date.parse(value) : value;
  if (typeof ms === 'number' && Number.isFinite(ms)) return ms;
  const given = JSON.stringify(value);
  const shown = given.length > SHOWN_CHARACTERS ? `${given.slice(0, SHOWN_CHARACTERS)}…` : given;
  throw new ThermidorFailure('wait.bad-moment', `${shown} is no moment: it takes ISO 8601 text or milliseconds since 1970`);
}

const SHOWN_CHARACTERS = 100;

async function waitForSignal(it: Interpreter, place: PlaceOf<'wait'>, name: string, record: StepRecord): Promise<StepResult> {
  const { run } = it;
  const { step, path } = place;
  if (record.taken) return passOn(it, place, record.taken.value);
  record.state = 'waiting';
  if (step.timeoutMs !== undefined) record.deadlineMs ??= run.ctx.now() + step.timeoutMs;
  it.rest(place);
  it.changed('gates');
  let payload = takeSignal(run, name);
  while (payload === undefined) {
    const sleeper = signalSleeper(path);
    if (record.deadlineMs === undefined) await run.sleepUntilWoken(sleeper, path);
    else if (await run.until(record.deadlineMs, path, sleeper)) {
      throw new ThermidorFailure('wait.timeout', `the signal "${name}" did not come in time`);
    }
    payload = takeSignal(run, name);
  }
  record.state = 'running';
  // From here on it is the step's own: another execution must not wait for it again.
  record.taken = { value: payload };
  it.resume(place);
  return passOn(it, place, payload);
}

async function passOn(it: Interpreter, place: PlaceOf<'wait'>, value: Json): Promise<StepResult> {
  await composeOutput(it, place, { kind: 'value', value });
  delete it.run.record(place.path).taken;
  return settle(it, place, 'done');
}
