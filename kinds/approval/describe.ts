import { gateData, gateFacts, labelOf, whereAsked } from '../../plan/describing';
import type { Description, ShownGate } from '../../plan/description';
import { mustApprove } from '../../plan/quorum';
import type { ApprovalStep } from './model';

export interface ShownApproval extends ShownGate {
  kind: 'approval';
}

export const APPROVAL_DESCRIPTION: Description<ApprovalStep, ShownApproval> = {
  data: (step, words) => ({
    kind: 'approval',
    ...gateData(step, words),
    choices: step.choices ?? ['approve', 'reject'],
    ...(step.preview === undefined ? {} : { preview: words.readable(step.preview) }),
    ...(step.quorum === undefined ? {} : { quorum: step.quorum }),
    ...(step.fourEyes === undefined ? {} : { fourEyes: true }),
    ...(step.comment === undefined ? {} : { comment: step.comment }),
    ...(step.timeoutMs === undefined && step.onTimeout === undefined ? {} : { onTimeout: step.onTimeout ?? 'wait' }),
    ...(step.onReject === undefined ? {} : { onReject: step.onReject }),
  }),
  line: (data) => `a person decides${whereAsked(data)}`,
  facts: gateFacts,
  label: (step) => labelOf([step.channel, mustApprove(step) ?? false]),
  shape: 'person',
};
