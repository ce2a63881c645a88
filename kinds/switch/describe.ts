import { labelOf } from '../../plan/describing';
import type { Description } from '../../plan/description';
import type { SwitchStep } from '../../plan/step';

export interface ShownSwitch {
  kind: 'switch';
  cases: string[];
}

export const SWITCH_DESCRIPTION: Description<SwitchStep, ShownSwitch> = {
  data: ({ branches }) => ({ kind: 'switch', cases: branches.map(({ id }) => id) }),
  line: ({ cases }) => `the first case that holds: ${cases.join(', ')}`,
  facts: () => [],
  label: () => labelOf(['the first that holds']),
  shape: 'frame',
  frame: 'one of',
};
