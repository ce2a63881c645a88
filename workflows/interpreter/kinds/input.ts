import type { Decision } from '../../../plan/gate';
import { composeOutput } from '../containers/compose';
import { decisionAt } from '../gates/gates';
import type { Interpreter } from '../interpreter';
import { gateSpecOfPolicy } from '../people/policy';
import type { PlaceOf } from '../place';
import { type StepResult, settle } from '../settle';
import type { StepRecord } from '../state/record';

/** A person answers with data, which is what the step puts out. Where the time runs out its defaults are taken, if it has any. */
export async function performInput(it: Interpreter, place: PlaceOf<'input'>, record: StepRecord): Promise<StepResult> {
  const { step } = place;
  if (record.decision) return putOut(it, place, record.decision);
  const decision = await decisionAt(it, place, {
    kind: 'input',
    show: step.show ?? [],
    ...gateSpecOfPolicy(it, step),
  });
  return putOut(it, place, decision);
}

/** Composing the defaults fails with `input.no-answer` where the step has none. */
async function putOut(it: Interpreter, place: PlaceOf<'input'>, decision: Decision): Promise<StepResult> {
  const silent = decision.via === 'time-out';
  await composeOutput(it, place, silent ? { kind: 'defaults' } : { kind: 'value', value: decision.value ?? null });
  return settle(it, place, 'done', silent ? 'nobody answered in time: the defaults stand' : undefined);
}
