import type { SelectedPattern } from '../../plan/patterns/select';

export interface CoordinateSourceOf<S> {
  kind: 'coordinate';
  selected: SelectedPattern[];
  written: [key: string, text: string][];
  steps: S[];
}
