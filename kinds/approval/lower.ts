import { NOTHING } from '../../compiler/expression/output-shape';
import type { KindLowering } from '../../compiler/lower/kind-lowering';
import { addGate } from '../../compiler/lower/people/gate';
import { warnMissingApprover } from '../../compiler/lower/people/missing-approver';
import { addDecision } from '../../compiler/lower/people/policy';
import type { LoweredStep, StepContext } from '../../compiler/lower/step-context';
import type { WorkOf } from '../../compiler/shape/source';
import { CHOICE_WORD } from '../../plan/people/gate';
import type { ApprovalStep } from '../../plan/steps/step';

export const APPROVAL_LOWERING: KindLowering<WorkOf<'approval'>> = {
  lower: approvalStep,
  output: () => NOTHING,
};

/** A gate at which a person says yes or no. */
function approvalStep(work: WorkOf<'approval'>, here: StepContext): LoweredStep {
  const { base, context, place, actions } = here;
  const step: ApprovalStep = { ...base, kind: 'approval' };
  const { shown, allKnown } = addGate(step, work, here);
  const preview = here.template(work.preview);
  if (preview) step.preview = preview;
  addDecision(step, work, allKnown, context);
  if (!step.approvers) warnMissingApprover(base.id, place.step.at, work, context);
  const choices = choicesOf(work, here);
  if (choices.length > 0) step.choices = choices;
  const onReject = actions(work.onReject, 'on_reject');
  if (onReject) step.onReject = onReject;
  return { step, inputs: shown };
}

function choicesOf({ choices = [] }: WorkOf<'approval'>, { context }: StepContext): string[] {
  for (const { value, at } of choices) {
    if (!CHOICE_WORD.test(value))
      context.report('names.invalid', at, `"${value}" is not a valid name for a choice`, 'write a word such as revise');
  }
  return [...new Set(choices.map(({ value }) => value))];
}
