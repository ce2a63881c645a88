import { NOTHING } from '../../compiler/expression/output-shape';
import { lowerActions } from '../../compiler/lower/action';
import type { KindLowering } from '../../compiler/lower/kind-lowering';
import { addGate } from '../../compiler/lower/people/gate';
import { warnMissingApprover } from '../../compiler/lower/people/missing-approver';
import { addDecision } from '../../compiler/lower/people/policy';
import type { LoweredStep, StepContext } from '../../compiler/lower/step-context';
import type { ApprovalStep } from '../../plan/steps/step';
import type { ApprovalSource } from './source';

export const APPROVAL_LOWERING: KindLowering<ApprovalSource> = {
  lower: approvalStep,
  output: () => NOTHING,
};

/** A gate at which a person says yes or no. */
function approvalStep(work: ApprovalSource, here: StepContext): LoweredStep {
  const { base, context, place } = here;
  const step: ApprovalStep = { ...base, kind: 'approval' };
  const { shown, allKnown } = addGate(step, work, here);
  const preview = here.template(work.preview);
  if (preview) step.preview = preview;
  addDecision(step, work, allKnown, context);
  if (!step.approvers) warnMissingApprover(base.id, place.step.at, work, context);
  if (work.choices) step.choices = work.choices;
  if (work.onReject) step.onReject = lowerActions(work.onReject, 'on_reject', place, context);
  return { step, inputs: shown };
}
