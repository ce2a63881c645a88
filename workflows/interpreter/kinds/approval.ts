import { pathKey } from '../../../plan/contract';
import type { ControlOf } from '../../../plan/control';
import { at } from '../../../plan/evaluate';
import type { Decision } from '../../../plan/gate';
import type { Json } from '../../../plan/json';
import { actOn } from '../actions';
import { decisionAt } from '../gates';
import type { Interpreter } from '../interpreter';
import { type StepResult, settle } from '../settle';
import type { StepRecord } from '../state';

/** A person decides. What the step puts out is the decision; a rejection goes as `on_reject` says, and stops the run without one. */
export async function performApproval(it: Interpreter, step: ControlOf<'approval'>, record: StepRecord): Promise<StepResult> {
  const decision = await decisionAt(it, step, {
    kind: 'approval',
    show: step.show ?? [],
    ...(step.channel === undefined ? {} : { channel: step.channel }),
    ...(step.approvers ? { approvers: step.approvers } : {}),
    ...(step.timeoutMs === undefined ? {} : { timeoutMs: step.timeoutMs }),
    ...(step.onTimeout ? { onTimeout: step.onTimeout } : {}),
  });
  const values = (step.reads ?? []).map((path) => [pathKey(path), at(asOutput(decision), path)] as const);
  if (values.length > 0) record.values = Object.fromEntries(values);
  if (decision.choice !== 'reject') return settle(it, step, 'done');
  return actOn(it, step, step.onReject ?? [], { kind: 'rejected', decision });
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
