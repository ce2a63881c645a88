import { ThermidorFailure } from '../../../plan/run/failure';
import { failureOfEntry } from '../context/scope-log';
import type { StepContext } from '../context/step-context';
import type { Interpreter } from '../interpreter';
import type { Place } from '../scheduling/place';

/** Does work within a time limit, if there is one. When it is up, all of the work is cancelled. Fails with `step.timeout`. */
export async function withinTime<T>(
  { run }: Interpreter,
  place: Place,
  ctx: StepContext,
  timeoutMs: number | undefined,
  work: (ctx: StepContext) => Promise<T>,
): Promise<T> {
  if (timeoutMs === undefined) return await work(ctx);
  const { ended, failed, timedOut } = await ctx.all('in-time', { work }, { timeoutMs });
  if (timedOut) throw new ThermidorFailure('step.timeout', `${run.name(place.path)} did not end within its time`);
  const failure = failed['work'];
  if (failure) throw failureOfEntry(failure);
  return ended['work'] as T;
}
