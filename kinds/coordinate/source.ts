import type { Located } from '../../compiler/diagnostics/diagnostic';
import type { SelectedPattern } from './rules/select';

export interface CoordinateSourceOf<S> {
  coordinator?: Located<string>;
  selected: SelectedPattern[];
  written: [key: string, text: string][];
  steps: S[];
}
