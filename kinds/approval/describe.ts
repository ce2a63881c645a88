import { defined } from '../../plan/defined';
import { mustApprove } from '../../plan/people/quorum';
import type { Description, ShownGate } from '../../plan/steps/description';
import { channelOfGate, gateData, gateFacts, stepLabel } from '../../plan/steps/description-parts';
import type { ApprovalStep } from './model';

export interface ShownApproval extends ShownGate {
  kind: 'approval';
}

export const APPROVAL_DESCRIPTION: Description<ApprovalStep, ShownApproval> = {
  data: (step, words) => ({
    kind: 'approval',
    ...gateData(step, words),
    choices: step.choices ?? ['approve', 'reject'],
    ...defined({
      preview: step.preview && words.readable(step.preview),
      quorum: step.quorum,
      fourEyes: step.fourEyes && true,
      comment: step.comment,
      onTimeout: step.timeoutMs === undefined && step.onTimeout === undefined ? undefined : (step.onTimeout ?? 'wait'),
      onReject: step.onReject,
    }),
  }),
  line: (data) => `a person decides${channelOfGate(data)}`,
  facts: gateFacts,
  label: (step) => stepLabel([step.channel, mustApprove(step) ?? false]),
  shape: 'person',
};
