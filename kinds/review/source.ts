import type { Located } from '../../compiler/diagnostics/diagnostic';
import type { ActionSource } from '../../compiler/shape/action';
import type { AgentWorkSource } from '../../compiler/shape/source-parts';

export interface ReviewSource extends AgentWorkSource {
  kind: 'review';
  of?: Located<string>;
  critic?: Located<string>;
  onRevise?: ActionSource[];
  onBlock?: ActionSource[];
  stallRounds?: number;
  onStall?: ActionSource[];
  onUnfixable?: ActionSource[];
}
