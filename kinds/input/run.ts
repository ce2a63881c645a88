import { composeOutput, valueIn } from '../../workflows/interpreter/containers/compose';
import type { WorkEnd } from '../../workflows/interpreter/context/attempt-log';
import type { StepContext } from '../../workflows/interpreter/context/step-context';
import { gateSpecOfPolicy } from '../../workflows/interpreter/gates/category-policy';
import type { Interpreter } from '../../workflows/interpreter/interpreter';
import type { PlaceOf } from '../../workflows/interpreter/scheduling/place';

/**
 * A person answers with data, which is the output of the step. If the time runs out its defaults are taken; composing them fails with
 * `input.no-answer` if it has none.
 */
export async function performInput(it: Interpreter, place: PlaceOf<'input'>, ctx: StepContext): Promise<WorkEnd | undefined> {
  const { step } = place;
  const decision = await ctx.gate('answer', { kind: 'input', show: step.show ?? [], ...gateSpecOfPolicy(it, step) });
  const silent = decision.via === 'time-out';
  await composeOutput(it, place, silent ? { kind: 'defaults' } : valueIn(decision, 'value'));
  return silent ? { reason: 'nobody answered in time: the defaults are used' } : undefined;
}
