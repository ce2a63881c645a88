import type { Located, SourceSpan } from '../../compiler/diagnostics/diagnostic';
import type { FormSyntax, TemplateSyntax } from '../../compiler/expression/syntax';
import type { ActionSource } from '../../compiler/shape/action';
import type { Quorum } from '../../plan/people/quorum';
import type { IncrementGate } from './rules/words';

export interface IncrementsSource {
  kind: 'increments';
  plan?: { form: FormSyntax; at: SourceSpan };
  executor?: Located<string>;
  validator?: Located<string>;
  gates?: Partial<Record<IncrementGate, TemplateSyntax>>;
  fixes?: number;
  taskTimeoutMs?: number;
  final?: TemplateSyntax;
  blockedShare?: Located<Quorum>;
  onBlocked?: ActionSource[];
}
