import type { Description } from '../../plan/steps/description';
import { stepLabel } from '../../plan/steps/description-parts';
import type { SwitchStep } from '../../plan/steps/step';

export interface ShownSwitch {
  kind: 'switch';
  cases: string[];
}

export const SWITCH_DESCRIPTION: Description<SwitchStep, ShownSwitch> = {
  data: ({ branches }) => ({ kind: 'switch', cases: branches.map(({ id }) => id) }),
  line: ({ cases }) => `the first case that holds: ${cases.join(', ')}`,
  facts: () => [],
  label: () => stepLabel(['the first that holds']),
  shape: 'frame',
  frame: 'one of',
};
