import { at } from '../../../plan/evaluate';
import type { Decision } from '../../../plan/gate';
import type { Json } from '../../../plan/json';
import { pathKey } from '../../../plan/step-work';
import { actOn } from '../actions';
import { escalate } from '../escalation';
import { ESCALATED } from '../gates/gate-record';
import { decisionAt } from '../gates/gates';
import type { Interpreter } from '../interpreter';
import { gateSpecOfPolicy } from '../people/policy';
import type { PlaceOf } from '../place';
import { type StepResult, settle } from '../settle';
import type { StepRecord } from '../state/record';

/**
 * A person decides. What the step puts out is the decision; a rejection goes as `on_reject` says, and stops the run without one.
 * Of choices of the author's own every one but `reject` lets the run go on.
 */
export async function performApproval(it: Interpreter, place: PlaceOf<'approval'>, record: StepRecord): Promise<StepResult> {
  const { step } = place;
  const silence = { kind: 'silence', reason: `nobody decided on ${it.run.name(place.path)} in time` } as const;
  // An earlier execution took the matter further up and is waiting there.
  const decided = record.gate?.kind === 'escalation' || record.escalated ? record.decision : undefined;
  const decision =
    decided ??
    (await decisionAt(it, place, {
      kind: 'approval',
      show: step.show ?? [],
      ...gateSpecOfPolicy(it, step),
      ...(step.choices ? { choices: step.choices } : {}),
    }));
  if (decision.choice === ESCALATED && decision.via === 'time-out')
    return escalate(it, place, it.run.plan.escalation ?? [{ kind: 'human' }], silence);
  const values = (step.reads ?? []).map((path) => [pathKey(path), at(asOutput(decision), path)] as const);
  if (values.length > 0) record.values = Object.fromEntries(values);
  if (decision.choice !== 'reject') return settle(it, place, 'done');
  return actOn(it, place, step.onReject ?? [], { kind: 'rejected', decision });
}

function asOutput(decision: Decision): Json {
  return {
    decision: decision.choice,
    approved: decision.choice === 'approve',
    by: decision.by ?? null,
    comment: decision.comment ?? null,
    value: decision.value ?? null,
    at: decision.at,
  };
}
