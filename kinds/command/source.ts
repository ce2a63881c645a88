import type { Located } from '../../compiler/diagnostics/diagnostic';
import type { TemplateSyntax } from '../../compiler/expression/syntax';

export interface CommandSource {
  command?: { shell: Located<TemplateSyntax> } | { argv: Located<TemplateSyntax>[] };
}
