import type { Located, SourceSpan } from '../../compiler/diagnostics/diagnostic';
import type { TemplateSyntax } from '../../compiler/expression/syntax';

/** Another pipeline as a child. */
export interface ChildSource {
  kind: 'pipeline';
  path?: Located<string>;
  with: Map<string, { at: SourceSpan; value: TemplateSyntax; valueAt: SourceSpan }>;
  /** Where a missing arg is shown. */
  at: SourceSpan;
}
