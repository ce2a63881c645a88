import type { Located } from '../../compiler/diagnostics/diagnostic';
import type { Syntax } from '../../compiler/expression/syntax';
import type { ActionSource } from '../../compiler/shape/action';

export interface RepeatSourceOf<S> {
  kind: 'repeat';
  until?: Syntax;
  max?: number;
  steps: S[];
  roundVar?: Located<string>;
  lastVar?: Located<string>;
  onExhausted?: ActionSource[];
}
