import type { Description } from '../../plan/steps/description';
import { noLabel } from '../../plan/steps/description-parts';
import type { GroupStep } from '../../plan/steps/step';

export interface ShownGroup {
  kind: 'group';
}

export const GROUP_DESCRIPTION: Description<GroupStep, ShownGroup> = {
  data: () => ({ kind: 'group' }),
  line: () => 'a branch of several steps',
  facts: () => [],
  label: noLabel,
  shape: 'frame',
  frame: 'in order',
};
