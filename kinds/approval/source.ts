import type { TemplateSyntax } from '../../compiler/expression/syntax';
import type { ActionSource } from '../../compiler/shape/action';
import type { GateSource, PolicySource } from '../../compiler/shape/source-parts';

export interface ApprovalSource extends GateSource, PolicySource {
  kind: 'approval';
  preview?: TemplateSyntax;
  choices?: string[];
  onReject?: ActionSource[];
}
