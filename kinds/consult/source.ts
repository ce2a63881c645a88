import type { Located } from '../../compiler/diagnostics/diagnostic';
import type { FormSyntax } from '../../compiler/expression/syntax';
import type { Urgency } from '../../plan/patterns/advice';

export interface ConsultSource {
  kind: 'consult';
  topic?: Located<string>;
  question?: FormSyntax;
  context?: FormSyntax;
  options?: FormSyntax;
  urgency?: Urgency;
  /** Specialists by topic. `agent` is absent if the written value is no name. */
  consultants?: { topic: string; agent?: Located<string> }[];
  fallback?: Located<string>;
  secondOpinion?: Located<string>;
}
