import { evaluate } from '../../plan/expressions/evaluate';
import { ThermidorFailure } from '../../plan/run/failure';
import type { Json } from '../../plan/text/json';
import { readMoment } from '../../plan/text/moment';
import { cutAfter } from '../../plan/text/shortened';
import { composeOutput } from '../../workflows/interpreter/containers/compose';
import type { StepContext } from '../../workflows/interpreter/context/step-context';
import { signalWakeKey, takeSignal } from '../../workflows/interpreter/inbound/signals';
import type { Interpreter } from '../../workflows/interpreter/interpreter';
import type { PlaceOf } from '../../workflows/interpreter/scheduling/place';
import type { StepRecord } from '../../workflows/interpreter/state/step-record';
import { controlScope } from '../../workflows/interpreter/steps/expression-scope';

/** Waits a while, until a moment, or for a signal. The moment is decided once, so that continue-as-new does not start it again. */
export async function performWait(it: Interpreter, place: PlaceOf<'wait'>, record: StepRecord, ctx: StepContext): Promise<undefined> {
  const { run } = it;
  const { step, path } = place;
  if (step.signal !== undefined) return waitForSignal(it, place, step.signal, record, ctx);
  const { forMs, isTooLong } = ctx.once('moment', () => {
    const now = run.ctx.now();
    const ends = step.until ? momentOf(evaluate(step.until, controlScope(run, place.frame)), step.zone) : now + (step.forMs ?? 0);
    const due = step.timeoutMs === undefined ? ends : now + step.timeoutMs;
    return { forMs: Math.min(ends, due) - now, isTooLong: due < ends };
  });
  record.state = 'waiting';
  it.rest(place);
  await ctx.sleep('wait', forMs);
  if (isTooLong) throw new ThermidorFailure('step.timeout', `${run.name(path)} would wait beyond its timeout`);
  return undefined;
}

/** ISO 8601 text, or milliseconds since the epoch, as far as dates go. A moment that has passed is no wait. */
function momentOf(value: Json, zone: string | undefined): number {
  const ms = typeof value !== 'string' ? value : zone === undefined ? Date.parse(value) : readMoment(value, zone);
  if (typeof ms === 'number' && !Number.isNaN(new Date(ms).getTime())) return ms;
  const shown = cutAfter(JSON.stringify(value), SHOWN_CHARACTERS);
  throw new ThermidorFailure('wait.bad-moment', `${shown} is not a moment: write ISO 8601 text or milliseconds since 1970`);
}

const SHOWN_CHARACTERS = 100;

async function waitForSignal(
  it: Interpreter,
  place: PlaceOf<'wait'>,
  name: string,
  record: StepRecord,
  ctx: StepContext,
): Promise<undefined> {
  const { run } = it;
  const { step, path } = place;
  const due = step.timeoutMs === undefined ? {} : { dueMs: run.ctx.now() + step.timeoutMs };
  record.state = 'waiting';
  it.rest(place);
  it.changed('gates');
  const taken = await ctx.awaited('signal', { sleeper: signalWakeKey(path), ...due }, () => {
    const value = takeSignal(run, name);
    return value === undefined ? undefined : { value };
  });
  if (!taken) throw new ThermidorFailure('wait.timeout', `the signal "${name}" did not arrive in time`);
  record.state = 'running';
  it.resume(place);
  await composeOutput(it, place, { kind: 'value', value: taken.value });
  return undefined;
}
