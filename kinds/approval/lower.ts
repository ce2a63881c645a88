import { NOTHING } from '../../compiler/expression/output-shape';
import { actionsOf } from '../../compiler/lower/action';
import { addGate } from '../../compiler/lower/gate';
import type { Here, LoweredStep } from '../../compiler/lower/here';
import type { Lowering } from '../../compiler/lower/lowering';
import { noteNoApprover } from '../../compiler/lower/no-approver';
import { addDecision } from '../../compiler/lower/policy';
import type { ApprovalStep } from '../../plan/step';
import type { ApprovalSource } from './source';

export const APPROVAL_LOWERING: Lowering<ApprovalSource> = {
  lower: approvalStep,
  output: () => NOTHING,
};

/** A gate at which a person says yes or no. */
function approvalStep(work: ApprovalSource, here: Here): LoweredStep {
  const { base, context, place } = here;
  const step: ApprovalStep = { ...base, kind: 'approval' };
  const { shown, allKnown } = addGate(step, work, here);
  const preview = here.template(work.preview);
  if (preview) step.preview = preview;
  addDecision(step, work, allKnown, context);
  if (!step.approvers) noteNoApprover(base.id, place.step.at, work, context);
  if (work.choices) step.choices = work.choices;
  if (work.onReject) step.onReject = actionsOf(work.onReject, 'on_reject', place, context);
  return { step, inputs: shown };
}
