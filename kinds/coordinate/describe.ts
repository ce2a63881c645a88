import type { Description } from '../../plan/steps/description';
import { fact, stepLabel } from '../../plan/steps/description-parts';
import type { CoordinateStep } from '../../plan/steps/step';
import type { SelectedPattern } from './rules/select';

export interface ShownCoordinate {
  kind: 'coordinate';
  selected: SelectedPattern[];
  written: [key: string, text: string][];
}

export const COORDINATE_DESCRIPTION: Description<CoordinateStep, ShownCoordinate> = {
  data: ({ selected, written }) => ({ kind: 'coordinate', selected, written }),
  line: ({ selected }) => `plan → execute → validate, with ${selected.map(({ pattern }) => pattern).join(', ')}`,
  facts: ({ selected, written }) => [
    ...selected.flatMap(({ pattern, why }) => fact(pattern, why)),
    ...written.flatMap(([key, text]) => fact(key.replaceAll('_', ' '), text)),
  ],
  label: ({ selected }) => stepLabel([selected.map(({ pattern }) => pattern).join(' ')]),
  shape: 'frame',
  frame: 'coordinated',
};
