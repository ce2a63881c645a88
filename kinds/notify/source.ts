import type { Located } from '../../compiler/diagnostics/diagnostic';
import type { TemplateSyntax } from '../../compiler/expression/syntax';

export interface NotifySource {
  kind: 'notify';
  channel?: Located<string>;
  message?: TemplateSyntax;
  report?: Located<string>;
}
