import { GATE_CHOICES } from '../../plan/gate';
import type { AfterApproval, ApprovalStep, InputStep } from '../../plan/step';
import { renderKnown, renderReadable, type World } from './known';
import type { DryGate, DryWork } from './model';
import type { ReadBlob } from './prompt';

/** What a person would be asked. */
export function gateWork(step: ApprovalStep | InputStep, world: World, blob: ReadBlob): DryWork {
  const schema = step.kind === 'input' && step.responseSchema !== undefined ? blob(step.responseSchema) : undefined;
  const gate: DryGate = {
    ...(step.prompt === undefined ? {} : { question: renderReadable(step.prompt, world) }),
    ...(step.channel === undefined ? {} : { channel: step.channel }),
    ...(step.approvers === undefined ? {} : { approvers: step.approvers }),
    ...(step.show === undefined ? {} : { show: step.show }),
    ...(step.identity === undefined ? {} : { identity: step.identity }),
    ...(step.remindMs === undefined ? {} : { remindMs: step.remindMs }),
    choices: GATE_CHOICES[step.kind],
  };
  if (step.kind === 'input') {
    return {
      kind: 'input',
      ...gate,
      ...(schema === undefined ? {} : { responseSchema: schema }),
      ...(step.defaults === undefined ? {} : { defaults: step.defaults }),
    };
  }
  return {
    kind: 'approval',
    ...gate,
    ...(step.choices === undefined ? {} : { choices: step.choices }),
    ...(step.quorum === undefined ? {} : { quorum: step.quorum }),
    ...(step.fourEyes === undefined ? {} : { fourEyes: true }),
    ...(step.comment === undefined ? {} : { comment: step.comment }),
    ...(step.timeoutMs === undefined ? {} : { onTimeout: step.onTimeout ?? 'wait' }),
    ...(step.onReject === undefined ? {} : { onReject: step.onReject }),
  };
}

/** The approval behind a step's work. */
export function afterGate(approval: AfterApproval, world: World): DryGate {
  const { prompt, requiredApprover, requireDifferentApprover, onReject } = approval;
  return {
    ...(prompt === undefined ? {} : { question: renderReadable(prompt, world) }),
    choices: GATE_CHOICES.approval,
    ...(requiredApprover === undefined ? {} : { requiredApprover: renderKnown(requiredApprover, world) }),
    ...(requireDifferentApprover === undefined ? {} : { requireDifferentApprover }),
    ...(onReject === undefined ? {} : { onReject }),
  };
}
