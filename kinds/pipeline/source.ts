import type { Located, Spot } from '../../compiler/diagnostics/diagnostic';
import type { TemplateSyntax } from '../../compiler/expression/syntax';

/** Another pipeline as a child. */
export interface ChildSource {
  kind: 'pipeline';
  path?: Located<string>;
  with: Map<string, { at: Spot; value: TemplateSyntax; valueAt: Spot }>;
  /** Where a missing arg is shown. */
  at: Spot;
}
