import { noLabel } from '../../plan/describing';
import type { Description } from '../../plan/description';
import type { GroupStep } from '../../plan/step';

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
